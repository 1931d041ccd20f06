//! Looking at a workspace: the listing, the vault and the cache together make the inventory that everything is decided from.

use super::Request;
use crate::daemon::cache::{self, Adopted, Cache};
use crate::daemon::issue::Issue;
use crate::daemon::scan::{self, Listing, Scan};
use crate::daemon::vault::{self, Look, Vault};
use crate::daemon::workspace::{FileError, Workspace};
use crate::memory::vault::Bounds;

/// What was found.
pub(super) struct Gathered {
    pub(super) scan: Scan,
    /// The nodes of others, when there is something new about them.
    pub(super) adopted: Option<Adopted>,
    /// Whether nothing was known from before.
    pub(super) cache_was_empty: bool,
}

/// Lists the folders; stray temporary files are removed when `clean` is set (see [`scan::list`]).
pub(super) fn list(workspace: &Workspace, request: Request<'_>, clean: bool) -> Result<Listing, FileError> {
    let now = request.now.timestamp_nanos_opt().unwrap_or(i64::MAX);
    // Whoever may clean runs a cycle; who only looks may be the daemon itself.
    let list = if clean { scan::list_at_once } else { scan::list };
    list(workspace, request.settings.session_files, now, clean)
}

/// Finds out what a listing holds. With `keep`, what is new of the logs is in the vault afterwards; the caller then holds the
/// workspace's cycle lock.
pub(super) fn gather(
    workspace: &Workspace,
    request: Request<'_>,
    listing: Listing,
    cache: Cache,
    keep: bool,
) -> Result<Gathered, FileError> {
    let cache_was_empty = cache.logs.is_empty() && cache.nodes.is_empty();
    let mut issues = Vec::new();
    let mut vault = look(workspace, request, &listing, &cache, keep, &mut issues)?;
    if keep {
        store(workspace, &mut vault, &mut issues);
    }
    let mut adopted = cache::load_adopted(workspace)?;
    let before = adopted.clone();
    let mut scan = scan::scan(workspace, listing, cache, &mut adopted, vault);
    scan.inventory.root.hold_to(request.settings.root_tokens_max);
    if let Some(keep_days) = request.settings.vault_keep_days.filter(|_| keep) {
        let bounds = Bounds {
            keep_days: keep_days.into(),
            today: request.moment.day,
        };
        scan.vault.prune(&scan.inventory, bounds);
        store(workspace, &mut scan.vault, &mut issues);
    }
    for issue in issues {
        // A log that cannot be read may have been met twice.
        if !scan.issues.contains(&issue) {
            scan.issues.push(issue);
        }
    }
    Ok(Gathered {
        scan,
        adopted: (adopted != before).then_some(adopted),
        cache_was_empty,
    })
}

/// The vault, compared with the logs as they are.
fn look(
    workspace: &Workspace,
    request: Request<'_>,
    listing: &Listing,
    cache: &Cache,
    keep: bool,
    issues: &mut Vec<Issue>,
) -> Result<Vault, FileError> {
    let settings = request.settings;
    if settings.vault_keep_days.is_none() {
        return Ok(Vault::off());
    }
    let look = Look {
        today: request.moment.day,
        session_files: settings.session_files,
        keep,
    };
    // A vault that cannot be read may hold what a node is made of: nothing is made until it can.
    let mut vault = Vault::open(workspace, look.today, issues)?;
    vault.see(workspace, listing, cache, look, issues);
    Ok(vault)
}

fn store(workspace: &Workspace, vault: &mut Vault, issues: &mut Vec<Issue>) {
    if let Err(error) = vault.commit(workspace) {
        issues.push(Issue::from_error(vault::PATH, &error));
    }
}
