//! The words of SMTP (RFC 5321), up to one mail.

use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader,
};

use super::server::Credentials;

/// Of a reply, with all of its lines.
const MAX_REPLY: u64 = 16 * 1024;

/// Why a mail was not taken.
#[derive(Debug)]
pub(super) enum Failure {
    /// The server refuses this mail for good, with these words: its sender, a recipient or its
    /// content.
    Mail(String),
    /// The server does not want this mail now, with these words.
    Later(String),
    /// The server takes no mail, for a reason without secrets and addresses.
    Server(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Server(error.to_string())
    }
}

/// A reply: its code, and the texts of its lines.
struct Reply {
    code: u16,
    texts: Vec<String>,
}

impl Reply {
    fn text(&self) -> String {
        format!("{} {}", self.code, self.texts.join(" "))
    }

    fn wanted(self, code: u16) -> Result<Self, Failure> {
        if self.code == code { Ok(self) } else { Err(Failure::Server(self.text())) }
    }
}

/// A connection to a server, which has said what it offers.
pub(super) struct Conversation<S> {
    stream: BufReader<S>,
    offers: Vec<String>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Conversation<S> {
    /// Waits for the first words of the server, and asks what it offers.
    pub(super) async fn begin(stream: S) -> Result<Self, Failure> {
        let mut new = Self { stream: BufReader::new(stream), offers: vec![] };
        new.reply().await?.wanted(220)?;
        new.introduce().await?;
        Ok(new)
    }

    /// Begins anew after TLS has begun: earlier offers of the server count no more.
    pub(super) async fn resume(stream: S) -> Result<Self, Failure> {
        let mut new = Self { stream: BufReader::new(stream), offers: vec![] };
        new.introduce().await?;
        Ok(new)
    }

    async fn introduce(&mut self) -> Result<(), Failure> {
        self.say("EHLO [127.0.0.1]").await?;
        let reply = self.reply().await?.wanted(250)?;
        let offers = reply.texts.into_iter().skip(1);
        self.offers = offers.map(|text| text.to_ascii_uppercase()).collect();
        Ok(())
    }

    /// Asks for TLS; returns the stream for its handshake.
    pub(super) async fn start_tls(mut self) -> Result<S, Failure> {
        if !self.offers.iter().any(|offer| offer == "STARTTLS") {
            return Err(Failure::Server("The server does not offer STARTTLS.".to_owned()));
        }
        self.say("STARTTLS").await?;
        self.reply().await?.wanted(220)?;
        // An attacker in between could have added it, and it would pass for words within TLS.
        if !self.stream.buffer().is_empty() {
            return Err(Failure::Server("The server spoke on before TLS.".to_owned()));
        }
        Ok(self.stream.into_inner())
    }

    /// Logs in, by `PLAIN` (RFC 4616) or `LOGIN`.
    pub(super) async fn log_in(&mut self, credentials: &Credentials) -> Result<(), Failure> {
        let Credentials { user, password } = credentials;
        let offers = |wanted: &str| {
            let mut offers = self.offers.iter().filter_map(|offer| offer.strip_prefix("AUTH "));
            offers.any(|offer| offer.split(' ').any(|mechanism| mechanism == wanted))
        };
        if offers("PLAIN") {
            let response = STANDARD.encode(format!("\0{user}\0{password}"));
            self.say(&format!("AUTH PLAIN {response}")).await?;
        } else if offers("LOGIN") {
            self.say("AUTH LOGIN").await?;
            self.reply().await?.wanted(334)?;
            self.say(&STANDARD.encode(user)).await?;
            self.reply().await?.wanted(334)?;
            self.say(&STANDARD.encode(password)).await?;
        } else {
            return Err(Failure::Server("The server takes no password.".to_owned()));
        }
        match self.reply().await?.code {
            235 => Ok(()),
            // Without its words, which could repeat the password.
            code => Err(Failure::Server(format!("The server refuses the password: {code}."))),
        }
    }

    /// Hands over a mail.
    pub(super) async fn send(
        &mut self,
        from: &str,
        to: &[&str],
        raw: &[u8],
    ) -> Result<(), Failure> {
        let eight_bits = match raw.is_ascii() {
            true => "",
            false if self.offers.iter().any(|offer| offer == "8BITMIME") => " BODY=8BITMIME",
            false => return Err(Failure::Mail("The server takes ASCII only.".to_owned())),
        };
        self.ask(&format!("MAIL FROM:<{from}>{eight_bits}"), 2).await?;
        for to in to {
            self.ask(&format!("RCPT TO:<{to}>"), 2).await?;
        }
        self.ask("DATA", 3).await?;
        self.stream.get_mut().write_all(&escaped(raw)).await?;
        self.ask(".", 2).await
    }

    /// Ends the conversation; the mail is taken, whatever the server says now.
    pub(super) async fn quit(mut self) {
        if self.say("QUIT").await.is_ok() {
            let _ = self.reply().await;
        }
        let _ = self.stream.get_mut().shutdown().await;
    }

    /// Says a line about the mail, which a reply of another class than `wanted` refuses.
    async fn ask(&mut self, line: &str, wanted: u16) -> Result<(), Failure> {
        self.say(line).await?;
        let reply = self.reply().await?;
        match reply.code / 100 {
            class if class == wanted => Ok(()),
            // Without a password, or without TLS, every mail would be refused.
            5 if reply.code != 530 => Err(Failure::Mail(reply.text())),
            _ => Err(Failure::Later(reply.text())),
        }
    }

    async fn say(&mut self, line: &str) -> io::Result<()> {
        let stream = self.stream.get_mut();
        stream.write_all(format!("{line}\r\n").as_bytes()).await?;
        stream.flush().await
    }

    /// `250-first`, `250-second`, `250 last`.
    async fn reply(&mut self) -> Result<Reply, Failure> {
        let mut lines = (&mut self.stream).take(MAX_REPLY);
        let mut texts = vec![];
        loop {
            let mut line = vec![];
            lines.read_until(b'\n', &mut line).await?;
            let line = String::from_utf8_lossy(&line).into_owned();
            let unreadable = || Failure::Server("The server says no SMTP.".to_owned());
            let line = line.strip_suffix('\n').ok_or_else(unreadable)?.trim_end_matches('\r');
            let code = line.get(..3).and_then(|code| code.parse().ok()).ok_or_else(unreadable)?;
            texts.push(line.get(4..).unwrap_or_default().to_owned());
            match line.as_bytes().get(3) {
                Some(b'-') => {}
                None | Some(b' ') => return Ok(Reply { code, texts }),
                Some(_) => return Err(unreadable()),
            }
        }
    }
}

/// A mail for `DATA`: lines end with CRLF, and none is the single dot that would end it.
fn escaped(raw: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(raw.len() + 64);
    let lines = raw.strip_suffix(b"\n").unwrap_or(raw).split(|byte| *byte == b'\n');
    for line in lines {
        if line.starts_with(b".") {
            escaped.push(b'.');
        }
        escaped.extend_from_slice(line.strip_suffix(b"\r").unwrap_or(line));
        escaped.extend_from_slice(b"\r\n");
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn no_line_of_a_mail_ends_it() {
        for (raw, sent) in [
            ("a\r\n.\r\nb\r\n", "a\r\n..\r\nb\r\n"),
            ("a\n.\nb", "a\r\n..\r\nb\r\n"),
            (".a\r\n..\r\n", "..a\r\n...\r\n"),
            ("a.\r\n\r\n", "a.\r\n\r\n"),
        ] {
            assert_eq!(String::from_utf8(escaped(raw.as_bytes())).unwrap(), sent, "{raw:?}");
        }
    }
}
