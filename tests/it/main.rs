//! One binary of tests over the whole program: a module a subject.

mod history;
mod place;
mod pypi;
mod world;

mod child;
mod commands;
mod config;
mod damage;
mod doors;
mod due;
mod every;
mod fuzz;
mod generate;
mod init;
mod mcp;
mod modes;
mod platforms;
mod promises;
mod protocol;
mod qmd;
mod readme;
mod recall;
mod replay;
mod rules;
mod run;
mod scenarios;
mod seeing;
mod service;
mod states;
mod status;
mod summaries;
mod tidy;
mod units;
mod vault;
mod verify;
