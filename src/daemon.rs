//! The shell: files, time, processes. It looks at the folder, lets the core decide, and does that much.

pub mod clock;
pub mod forget;
pub mod host;
pub mod issue;
pub mod logging;
pub mod signals;
pub mod systemd;

pub mod answers;
pub mod append;
pub mod attempt_log;
pub mod cache;
pub mod capture;
pub mod cycle;
pub mod due;
pub mod health;
pub mod hot_files;
pub mod ledger;
pub mod lock;
pub mod log_name;
pub mod recall;
pub mod root_file;
pub mod scan;
pub mod sessions;
pub mod settle;
pub mod snapshot;
pub mod status_file;
pub mod takeover;
pub mod vault;
pub mod wiring;
pub mod workspace;

pub mod agenda;
pub mod child;
pub mod program;
pub mod qmd;
pub mod service;
pub mod settings;
pub mod summarizer;
pub mod watcher;
pub mod worker;
