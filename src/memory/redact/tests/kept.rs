//! What must stay whole.

use std::borrow::Cow;

use super::super::redact;
use super::{hex, mixed};

#[test]
fn talk_and_placeholders_stay() {
    let hash = hex(64);
    let mut lines: Vec<String> = [
        "## token: middleware refactor [project]",
        "## password: rotation policy v2",
        "# Password: hunter2",
        "### API key: rotate2026 [project]",
        "pwd=/home/user/project/src",
        "PWD=/home/user/project2",
        "password policy requires 12 characters",
        "password: min 12 characters",
        "password: 12 characters or more",
        "max_tokens: 4096",
        "token count = 3000",
        "tokens: 3000",
        "\"token\": 3000",
        "password: [REDACTED]",
        "password: [REDACTED], user: bob",
        "password: ",
        "password:",
        "password:\nusername: bob2",
        "the password is stored in 1Password",
        "password: see vault",
        "password: stored in 1Password",
        "password: ask the team lead for it",
        "password is required",
        "password is wrong!",
        "the password was changed yesterday",
        "the password is base64-encoded",
        "password=$DB_PASSWORD",
        "password=\"$DB_PASSWORD\"",
        "password: ${DB_PASSWORD}",
        "password: ${{ secrets.DB_PASSWORD }}",
        "api_key: ${{ secrets.X }}",
        "token: {{ vault_token }}",
        "password=%DB_PASSWORD%",
        "os.environ[\"API_KEY\"]",
        "api_key = os.environ[\"API_KEY\"]",
        "api_key=os.getenv(\"OPENAI_API_KEY\")",
        "apiKey: process.env.OPENAI_API_KEY",
        "password = getpass.getpass()",
        "password = input(\"password: \")",
        "password: string;",
        "password: String,",
        "password?: string",
        "password: Option<String>,",
        "password: &str",
        "password: z.string().min(8)",
        "login(password=password)",
        "token = await getToken(user)",
        "token => token.id",
        "api key: <your-api-key>",
        "api_key = \"<your-api-key>\"",
        "api_key: your_api_key_here",
        "password: ********",
        "password: xxxxxx",
        "key: sk-...",
        "OPENAI_API_KEY=sk-...",
        "api_key: \"sk-xxx\"",
        "secret sauce: garlic2 and more",
        "auth: token refresh",
        "token: refresh on 2026-03-15 at noon",
        "secret: see the handover of 2026-03-15",
        "\"passwordHash\"",
        "passwordHash: string",
        "secretName: my-secret-1",
        "bob@example.com wrote",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ bob@host",
        "the risk-management-framework-overview-document",
        "task-list-with-many-hyphens-2026-03-15",
        "bearer tokens are used",
        "Authorization: Bearer <token>",
        "Authorization: Bearer $TOKEN",
        "Basic authentication is on",
        "primary key = user_id",
        "key decisions: use 3 tables",
        "API key: stored in the keychain",
        "private key: ~/.ssh/id_ed25519",
        "API key present: yes",
        "the --password and --token options cannot be used",
        "splitpasswd(['pwd', 'quit', 'user2name'])",
        "self.password = parsed.password",
        "password: Option<&str>,",
        "key_password=key_password",
        "const MAX_PASSWORD: u32 = 257u32;",
        "compass: north2",
        "tests pass: 12, fail: 3",
        "pass: 34",
        "use token::Kind and secret::Secret",
        "| user | password | role |",
        "| password | required |",
        "| token | refresh the middleware |",
        "密码：已更新",
        "密码策略：至少12个字符",
        "パスワード: 変更済み",
        "비밀번호: 변경함",
        "пароль: изменён",
        "the -----BEGIN RSA PRIVATE KEY----- line starts a key",
        "at 10:30:45 the job ran",
        "xoxb-your-token-here",
        "id: 550e8400-e29b-41d4-a716-446655440000",
        "PASSWORD_FILE=/run/secrets/db",
        "TOKEN_URL=https://example.org/a1b2c3d4e5f6",
        "token: 0x52908400098527886E0F7030069857D2E4169EE7",
    ]
    .map(str::to_owned)
    .to_vec();
    lines.push(format!("tx: 0x{hash}"));
    lines.push(format!("tx: {hash}"));
    lines.push(format!("integrity sha256-{}=", mixed(43)));
    lines.push(format!("\"token\": \"sha512-{}\"", mixed(80)));
    for line in &lines {
        assert!(
            matches!(redact(line), Cow::Borrowed(_)),
            "{line:?} became {:?}",
            redact(line)
        );
    }
    let whole = lines.join("\n\n");
    assert_eq!(redact(&whole), whole);
}
