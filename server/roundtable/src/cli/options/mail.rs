//! How mails are sent.

use std::{fs, path::PathBuf};

use clap::Args;
use roundtable::Smtp;
use service::Email;

use super::given;

#[derive(Args, Debug)]
pub(crate) struct MailOptions {
    /// SMTP server that also receives every mail: smtps://user:password@host, or
    /// smtp+starttls://user:password@host, or smtp://localhost:1025 on this machine.
    #[arg(long = "smtp", env = "SMTP_URL", value_name = "URL", hide_env_values = true)]
    smtp: Option<String>,
    /// File with the URL of that server, which only its owner may read.
    #[arg(long, env, value_name = "FILE", conflicts_with = "smtp")]
    smtp_url_file: Option<PathBuf>,
    /// File with the certificates (PEM) of the authorities that may sign the certificate of that
    /// server, instead of those of this machine.
    #[arg(long, env, value_name = "FILE")]
    smtp_ca_file: Option<PathBuf>,
    /// Sender of all mails that keys do not send themselves. Production with an SMTP server needs it.
    #[arg(long, env, value_name = "ADDRESS", value_parser = address)]
    pub(crate) mail_from: Option<Email>,
}

impl MailOptions {
    /// The SMTP server, if there is one.
    ///
    /// # Errors
    /// A sentence: a file cannot be read, or others can read the URL, or it is none.
    pub(crate) fn smtp(&self) -> Result<Option<Smtp>, String> {
        let url = given(self.smtp.as_ref(), self.smtp_url_file.as_deref())?;
        let Some(smtp) = url.map(|url| url.parse::<Smtp>()).transpose()? else { return Ok(None) };
        let Some(file) = &self.smtp_ca_file else { return Ok(Some(smtp)) };
        let authorities = fs::read(file);
        let authorities =
            authorities.map_err(|e| format!("{} cannot be read: {e}", file.display()))?;
        Ok(Some(smtp.trusting(authorities)))
    }

    /// Why production does not start with these.
    ///
    /// # Errors
    /// As [`MailOptions::smtp`].
    pub(crate) fn faults(&self) -> Result<[Option<&'static str>; 2], String> {
        let smtp = self.smtp()?;
        let is_open = smtp.as_ref().is_some_and(Smtp::is_open_to_others);
        Ok([
            is_open.then_some(
                "smtp:// leaves this machine without encryption: smtps:// or smtp+starttls:// is \
                 needed",
            ),
            (smtp.is_some() && self.mail_from.is_none())
                .then_some("--smtp needs a sender that the server accepts: --mail-from ADDRESS"),
        ])
    }
}

fn address(text: &str) -> Result<Email, String> {
    Email::try_from(text.to_owned()).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::options::Options;

    #[test]
    fn production_sends_no_mail_in_the_open() {
        let check = |arguments: &[&str]| {
            let production =
                ["roundtable", "--mode", "production", "--public-url", "https://a.example"];
            Options::parse_from(production.iter().chain(arguments)).check()
        };
        let from = ["--mail-from", "docs@a.example"];
        for right in
            ["smtps://me:secret@b.example", "smtp+starttls://b.example", "smtp://localhost"]
        {
            assert_eq!(check(&[&from[..], &["--smtp", right]].concat()), Ok(()), "{right}");
            assert!(check(&["--smtp", right]).unwrap_err().contains("--mail-from"));
        }
        for wrong in ["smtp://b.example", "smtp://me:secret@b.example", "http://b.example"] {
            let reason = check(&[&from[..], &["--smtp", wrong]].concat()).unwrap_err();
            assert!(reason.contains("smtps://") && !reason.contains("secret"), "{reason}");
        }
        assert!(Options::try_parse_from(["roundtable", "--mail-from", "docs"]).is_err());
        let laptop = Options::parse_from(["roundtable", "--smtp", "smtp://mails:1025"]);
        assert_eq!(laptop.check(), Ok(()));
    }
}
