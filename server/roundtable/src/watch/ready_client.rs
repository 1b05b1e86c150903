//! The client of `GET /ready`, for containers and supervisors that have no other.

use std::{
    io::{Read, Write},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream},
    time::Duration,
};

/// Time limit of connecting, and of the reply.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Asks the service of this machine that listens on `listener` whether it is ready.
///
/// # Errors
/// A sentence: why it is not, or that nobody answers.
pub fn ask_ready(listener: SocketAddr) -> Result<String, String> {
    let address = reachable(listener);
    let reply = get(address).map_err(|e| format!("{address} does not answer: {e}"))?;
    let (head, body) = reply.split_once("\r\n\r\n").unwrap_or((&reply, ""));
    match head.split(' ').nth(1) {
        Some("200") => Ok(body.to_owned()),
        _ => Err(format!("{address} is not ready: {body}")),
    }
}

/// The address of a listener on this machine: all interfaces are no address to connect to.
fn reachable(listener: SocketAddr) -> SocketAddr {
    let ip = match listener.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listener.port())
}

fn get(address: SocketAddr) -> std::io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    // With version 1.0, the end of the connection ends the reply.
    stream.write_all(b"GET /ready HTTP/1.0\r\nHost: localhost\r\n\r\n")?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply)?;
    Ok(reply)
}

#[cfg(test)]
mod tests {
    use std::{
        io::{Read, Write},
        net::TcpListener,
    };

    use super::{ask_ready, reachable};

    #[test]
    fn a_listener_on_all_interfaces_is_asked_on_loopback() {
        for (listener, asked) in [
            ("0.0.0.0:3000", "127.0.0.1:3000"),
            ("[::]:1", "[::1]:1"),
            ("192.168.1.2:80", "192.168.1.2:80"),
        ] {
            assert_eq!(reachable(listener.parse().unwrap()), asked.parse().unwrap());
        }
    }

    #[test]
    fn only_200_is_ready() {
        for (status, is_ready) in [("200 OK", true), ("503 Service Unavailable", false)] {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let address = listener.local_addr().unwrap();
            let service = std::thread::spawn(move || {
                let (mut stream, _) = listener.accept().unwrap();
                let mut request = [0; 256];
                let _ = stream.read(&mut request).unwrap();
                write!(stream, "HTTP/1.0 {status}\r\n\r\nbecause").unwrap();
            });
            let answer = ask_ready(address);
            service.join().unwrap();
            assert_eq!(answer.is_ok(), is_ready);
            assert!(answer.unwrap_or_else(|reason| reason).ends_with("because"));
            // Nobody listens any more.
            assert!(ask_ready(address).is_err());
        }
    }
}
