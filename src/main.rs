//! The program: arguments in, window or command line out. Everything else is in the library.

fn main() -> std::process::ExitCode {
    levelwright::cli::main()
}
