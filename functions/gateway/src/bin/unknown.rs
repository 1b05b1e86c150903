//! Serves every path and method that no operation has.

fn main() -> service::Exit {
    service::serve_unknown(include_str!("../paths.txt"))
}
