//! Looking at a workspace: the listing, the vault and the cache together make the inventory that everything is decided from.

use xxhash_rust::xxh3::xxh3_64;

use super::Request;
use crate::config::WORKSPACE_FILE;
use crate::daemon::cache::{self, Adopted, Cache};
use crate::daemon::issue::Issue;
use crate::daemon::scan::{self, Listing, Scan};
use crate::daemon::vault::{ScanOptions, Vault};
use crate::daemon::workspace::{FileError, Folder, Workspace};
use crate::memory::vault::Bounds;

pub(super) fn list(workspace: &Workspace, request: Request<'_>) -> Result<Listing, FileError> {
    let now = request.now.timestamp_nanos_opt().unwrap_or(i64::MAX);
    let mut listing = scan::list(workspace, request.settings.session_files, now)?;
    // A plan depends on the settings, too.
    let mark = xxh3_64(format!("{:?}", request.settings).as_bytes());
    listing.fingerprint = listing.fingerprint.wrapping_add(mark);
    Ok(listing)
}

/// Finds out what a listing holds; what the cache does not know is read. With `keep`, what is new of the logs is in the vault afterwards; the caller then holds the
/// workspace's cycle lock.
pub(super) fn load(
    workspace: &Workspace,
    request: Request<'_>,
    listing: Listing,
    cache: Cache,
    keep: bool,
) -> Result<Scan, FileError> {
    let mut issues = workspace.kept();
    // One that cannot be read may hold what a node is made of: nothing is made until it can.
    let mut vault = match request.settings.vault_keep_days {
        None => Vault::off(),
        Some(_) => Vault::open(workspace, request.moment.day, &mut issues)?,
    };
    if vault.is_on() {
        let look = ScanOptions {
            today: request.moment.day,
            session_files: request.settings.session_files,
            keep,
            // Once a day.
            check: keep && cache::idle(workspace).is_none_or(|rest| rest.from.day != request.moment.day),
            known: &cache,
        };
        vault.reconcile(workspace, &listing, look, &mut issues);
    }
    if keep {
        vault.commit(workspace, &mut issues);
    }
    let mut adopted: Adopted = workspace.read_json_note(cache::ADOPTED_NAME)?.unwrap_or_default();
    let before = adopted.clone();
    let mut scan = scan::scan(workspace, listing, cache, &mut adopted, vault);
    scan.inventory.root.hold_to(request.settings.root_tokens_max);
    if let Some(keep_days) = request.settings.vault_keep_days.filter(|_| keep) {
        let bounds = Bounds {
            keep_days: keep_days.into(),
            today: request.moment.day,
        };
        scan.vault.prune(&scan.inventory, bounds);
        scan.vault.commit(workspace, &mut issues);
    }
    if keep
        && adopted != before
        && let Err(error) = workspace.write_json(Folder::Own, cache::ADOPTED_NAME, &adopted)
    {
        issues.push(Issue::from_error(".hipocampus/adopted.json", &error));
    }
    let (damage, aside) = scan.vault.damage();
    scan.faults.extend(damage);
    scan.issues.extend(aside);
    if workspace.tree() != &request.settings.tree {
        let what = format!(
            "the tree lies in {}, and tree.folder says {}: `hipocampusd init {}` moves it",
            workspace.tree().as_str(),
            request.settings.tree.as_str(),
            workspace.path().display()
        );
        scan.faults.push(Issue::warning(WORKSPACE_FILE, what));
    }
    for issue in issues {
        // A log that cannot be read may have been met twice.
        if !scan.issues.contains(&issue) {
            scan.issues.push(issue);
        }
    }
    Ok(scan)
}
