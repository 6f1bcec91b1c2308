//! Runs MLIR's server as a process of its own, and passes messages on, with documentation added
//! to some, and others in the server's words. What is no message, or cannot be read, is passed on as it is.

use std::{
    env,
    ffi::OsString,
    io::{self, BufReader},
    process::{ChildStdin, Command, ExitCode, Stdio},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

use serde_json::Value;

use crate::{completion, documentation::Client, frames};

/// Set for the process that is MLIR's server.
const INNER: &str = "COMB_LSP_SERVER_IS_INNER";

/// Options that are not about messages with headers.
const UNLAYERED: [&str; 4] = ["lit-test", "input-style", "help", "version"];

/// Whether this process is to be MLIR's server itself.
pub fn is_unwanted(arguments: &[OsString]) -> bool {
    let is_unlayered = |argument: &OsString| {
        let argument = argument.to_string_lossy();
        let name = argument.trim_start_matches('-');
        UNLAYERED.iter().any(|option| name.starts_with(option))
    };
    env::var_os(INNER).is_some() || arguments.iter().any(is_unlayered)
}

/// Passes messages on until one side ends.
pub fn run(arguments: &[OsString]) -> io::Result<ExitCode> {
    let mut server = Command::new(env::current_exe()?)
        .args(arguments)
        .env(INNER, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let client = Arc::new(Mutex::new(Client::default()));
    let (Some(input), Some(output)) = (server.stdin.take(), server.stdout.take()) else {
        return Err(io::Error::other("the server has no pipes"));
    };
    let shared = Arc::clone(&client);
    thread::spawn(move || {
        if let Err(error) = forward(input, &shared) {
            eprintln!("error: {error}");
        }
    });
    let mut output = BufReader::new(output);
    while let Some(bytes) = frames::read(&mut output)? {
        let answer = serde_json::from_slice::<Value>(&bytes).ok();
        if answer.as_ref().is_some_and(completion::is_hidden) {
            continue;
        }
        let changed = answer.and_then(|answer| lock(&client).is_told(&answer));
        let bytes = changed.map_or(bytes, |message| frames::bytes(&message));
        frames::write(&mut io::stdout().lock(), &bytes)?;
    }
    let status = server.wait()?;
    Ok(ExitCode::from(
        status.code().map_or(1, |code| code.clamp(0, 255) as u8),
    ))
}

/// Passes on what the client says; the server's input ends with the client's.
fn forward(mut server: ChildStdin, client: &Mutex<Client>) -> io::Result<()> {
    let mut input = io::stdin().lock();
    while let Some(bytes) = frames::read(&mut input)? {
        let message = serde_json::from_slice::<Value>(&bytes).ok();
        let instead = message.and_then(|message| lock(client).says(&message));
        match instead {
            Some(messages) => {
                for message in messages {
                    frames::write(&mut server, &frames::bytes(&message))?;
                }
            }
            None => frames::write(&mut server, &bytes)?,
        }
    }
    Ok(())
}

fn lock(client: &Mutex<Client>) -> MutexGuard<'_, Client> {
    client.lock().unwrap_or_else(PoisonError::into_inner)
}
