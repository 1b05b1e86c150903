//! The roots of TLS for an image without a system: webhooks, the provider of mails and SMTP need them.

use base64::{Engine, engine::general_purpose::STANDARD};
use webpki_root_certs::TLS_SERVER_ROOT_CERTS;

/// Length of a line.
const LINE: usize = 64;

/// Mozilla's roots, in the format of `/etc/ssl/certs/ca-certificates.crt`.
pub(super) fn pem() -> String {
    TLS_SERVER_ROOT_CERTS.iter().map(|root| certificate(root)).collect()
}

fn certificate(der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let mut rest = text.as_str();
    let mut lines = String::new();
    while !rest.is_empty() {
        let (line, next) = rest.split_at(rest.len().min(LINE));
        lines += line;
        lines += "\n";
        rest = next;
    }
    format!("-----BEGIN CERTIFICATE-----\n{lines}-----END CERTIFICATE-----\n")
}

#[cfg(test)]
mod tests {
    use super::{certificate, pem};

    #[test]
    fn a_certificate_is_in_lines_of_64() {
        let lines = certificate(&[0; 60]);
        let lines: Vec<usize> = lines.lines().map(str::len).collect();
        assert_eq!(lines, [27, 64, 16, 25]);
        assert!(pem().matches("BEGIN CERTIFICATE").count() > 100);
    }
}
