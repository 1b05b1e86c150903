//! Options of `export` and `import`.

use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
};

use clap::Args;
use roundtable::read_secret;

/// Shortest passphrase: the keyring in the archive opens all secrets.
const MIN_PASSPHRASE: usize = 12;

/// Arguments of `export`.
#[derive(Clone, Debug, Args)]
pub(crate) struct Export {
    /// The new archive.
    pub(crate) file: PathBuf,
    /// aws: a stack in the account of the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
    /// AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL). The data folder when absent.
    #[arg(long, value_name = "aws", requires = "stack", value_parser = aws)]
    from: Option<Aws>,
    /// The name of the stack.
    #[arg(long, requires = "from")]
    stack: Option<String>,
    #[command(flatten)]
    pub(crate) passphrase: Passphrase,
}

/// Arguments of `import`.
#[derive(Clone, Debug, Args)]
pub(crate) struct Import {
    /// The archive.
    pub(crate) file: PathBuf,
    /// A new data folder, or aws: a new stack in the account of the environment.
    #[arg(long, value_name = "FOLDER|aws")]
    to: Target,
    /// The name of the stack.
    #[arg(long)]
    stack: Option<String>,
    /// Only add the keys of the source to the keyring of the stack, which functions read when they
    /// start: the first step.
    #[arg(long)]
    keys: bool,
    /// Write these keys to a new file, instead of the secret of the stack.
    #[arg(long, value_name = "FILE", requires = "keys")]
    keyring_out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) passphrase: Passphrase,
}

/// The passphrase of an archive.
#[derive(Clone, Args)]
pub(crate) struct Passphrase {
    /// File with the passphrase of the archive, at least 12 characters; only its owner may read it.
    #[arg(long, env, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// The passphrase itself. Other users of this machine can see flags, but not variables.
    #[arg(long, env, hide_env_values = true, conflicts_with = "passphrase_file")]
    passphrase: Option<String>,
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passphrase").finish_non_exhaustive()
    }
}

/// AWS, and no folder.
#[derive(Clone, Copy, Debug)]
struct Aws;

fn aws(text: &str) -> Result<Aws, &'static str> {
    if text == "aws" { Ok(Aws) } else { Err("aws is all that can be named") }
}

#[derive(Clone, Debug)]
enum Target {
    Aws,
    Folder(PathBuf),
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(if text == "aws" { Self::Aws } else { Self::Folder(text.into()) })
    }
}

/// A step of an import: the data to import, and the target.
pub(crate) enum Step<'a> {
    Keys(&'a str),
    KeysInto(&'a Path),
    Stack(&'a str),
    Folder(&'a Path),
}

impl Export {
    /// The stack to export, if it is not the data folder.
    pub(crate) fn stack(&self) -> Option<&str> {
        self.stack.as_deref()
    }
}

impl Import {
    /// The step that the options ask for.
    ///
    /// # Errors
    /// A sentence: options do not suit each other.
    pub(crate) fn step(&self) -> Result<Step<'_>, String> {
        match (&self.to, self.stack.as_deref()) {
            (Target::Aws, Some(stack)) => Ok(match &self.keyring_out {
                Some(file) => Step::KeysInto(file),
                None if self.keys => Step::Keys(stack),
                None => Step::Stack(stack),
            }),
            (Target::Aws, None) => Err("--to aws needs --stack".to_owned()),
            (Target::Folder(folder), None) if !self.keys => Ok(Step::Folder(folder)),
            (Target::Folder(_), _) => Err("--stack and --keys are for --to aws".to_owned()),
        }
    }
}

impl Passphrase {
    /// The passphrase.
    ///
    /// # Errors
    /// A sentence: there is none, it is too short, or others can read its file.
    pub(crate) fn read(&self) -> Result<String, String> {
        let text = match (&self.passphrase_file, &self.passphrase) {
            (Some(file), _) => read_secret(file)?,
            (None, Some(text)) => text.clone(),
            (None, None) => return Err("--passphrase-file or PASSPHRASE is needed".to_owned()),
        };
        let text = text.trim().to_owned();
        if text.chars().count() < MIN_PASSPHRASE {
            return Err(format!("the passphrase needs {MIN_PASSPHRASE} characters"));
        }
        Ok(text)
    }
}
