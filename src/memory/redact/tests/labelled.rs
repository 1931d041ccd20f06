//! Values that a word before them makes secret.

use super::{check, hex, mixed};

#[test]
fn a_password_behind_its_label_is_hidden() {
    for marked in [
        "password = ⟦hunter2⟧",
        "password: ⟦hunter2⟧",
        "password: ⟦hunter⟧",
        "Password: ⟦Tr0ub4dor&3⟧ (staging)",
        "pwd: \"⟦abc1⟧\"",
        "pwd=⟦hunter2⟧",
        "passwd: '⟦it works⟧'",
        "{\"user\": \"bob\", \"password\": \"⟦x⟧\", \"port\": 1}",
        "{\"password\":\"⟦a\\\"b\\\\c⟧\",\"a\":\"b\"}",
        "{\\\"password\\\": \\\"⟦hunter2⟧\\\"}",
        "\"db_password\": \"⟦correct horse battery staple⟧\"",
        "export DB_PASSWORD=⟦hunter2⟧",
        "PGPASSWORD=⟦hunter⟧ psql -h db",
        "PGPASSWORD='⟦hunter2⟧' psql",
        "DB_PASS=⟦hunter2⟧",
        "SMTP_PASSWORD_PROD=⟦hunter2⟧",
        "--password=⟦hunter2⟧ --verbose",
        "mysql --password ⟦hunter2⟧ db",
        "login(user='bob', password='⟦hunter2⟧')",
        "Server=db;User=sa;Password=⟦hunter2⟧;Timeout=5",
        "user=bob,password=⟦hunter2⟧,host=x",
        "<password>⟦hunter2⟧</password>",
        "  password: ⟦hunter2⟧  # for staging",
        "**Password:** ⟦hunter2⟧",
        "**Password**: ⟦hunter2⟧",
        "**Password: ⟦hunter2⟧**",
        "- password: `⟦hunter2⟧`",
        "> password: ⟦hunter2⟧",
        "| password | ⟦hunter2⟧ |",
        "| **Password** | `⟦hunter2⟧` | x |",
        "password is ⟦hunter2!x⟧",
        "password\u{a0}is\u{a0}⟦hunter2!x⟧",
        "password\u{202f}: ⟦hunter2⟧",
        "the password\u{3000}⟦hunter2x⟧",
        "the password is ⟦hunter2!x⟧, tell nobody",
        "The root password is now ⟦hunter2x⟧.",
        "set the password to ⟦hunter2x⟧",
        "password for admin: ⟦hunter2x⟧",
        "password (staging): ⟦hunter2x⟧",
        "password: ⟦12345⟧",
        "password → ⟦hunter2x⟧",
        "user: bob, pass: ⟦hunter2x⟧",
        "passphrase: \"⟦open sesame⟧\"",
        "passphrase: ⟦correct horse battery staple⟧",
        "- **Passphrase:** ⟦Correct Horse Battery Staple 42⟧",
        "GPG_PASSPHRASE=⟦correct horse battery staple⟧",
        "the backup's passphrase = ⟦marble otter violin desk lantern fog⟧.",
        "Passwort: ⟦geheim12⟧",
        "Kennwort: ⟦geheim12⟧",
        "contraseña: ⟦secreto12⟧",
        "mot de passe : ⟦secret12⟧",
        "senha: ⟦segredo12⟧",
        "密码：⟦hunter2⟧",
        "密码：⟦hunter2⟧，用户：bob",
        "密码是⟦hunter2x⟧",
        "パスワード: ⟦hunter2⟧",
        "パスワードは ⟦hunter2⟧ です",
        "비밀번호: ⟦hunter2⟧",
        "비밀번호는 ⟦hunter2⟧",
        "пароль: ⟦hunter2⟧",
        "Пароль — ⟦hunter2⟧",
        "Password:\n`⟦hunter2⟧`\n",
        "Password:\n```\n⟦hunter2⟧\n```\n",
        "machine h login bob password ⟦hunter⟧",
        "mysql --password ⟦hunter⟧",
        "Password hunter",
        "Password ⟦hunter2⟧",
        "wifi pw: ⟦sunflower9⟧",
        "ID/PW: ⟦admin / Admin@123⟧",
        "password: '⟦it''s⟧'",
        "パスワード：⟦Admin@123⟧（本番）",
        "pass = ⟦hunter2⟧",
        "\"pass\": \"⟦hunter⟧\"",
        "- name: DB_PASSWORD\n  value: ⟦hunter2⟧\n",
        "JWT_SECRET=⟦mysupersecret⟧",
        "const password = \"⟦hunter2⟧\";",
        "password: str = \"⟦hunter2⟧\"",
        "password := \"⟦hunter2⟧\"",
        "password = b'⟦hunter2⟧'",
        "curl -u bob:⟦hunter2⟧ https://example.org",
        "# DB_PASSWORD=⟦hunter2⟧",
    ] {
        check(marked);
    }
}

#[test]
fn keys_and_tokens_behind_their_label_are_hidden() {
    let long = mixed(40);
    let short = "a1b2c3d4e5f6";
    for (marked, value) in [
        ("api key = @", short),
        ("api_key: @", short),
        ("API-Key: @", short),
        ("apiKey: \"@\",", short),
        ("X-API-Key: @", short),
        ("OPENAI_API_KEY=@", short),
        ("API-Schlüssel: @", short),
        ("API密钥：@", short),
        ("APIキー: @", short),
        ("API 키: @", short),
        ("ключ API: x, токен: @", short),
        ("?api_key=@&page=2", short),
        ("GET /x?access_token=@&page=2", &long),
        ("aws_secret_access_key = @", &long),
        ("AWS_SECRET_ACCESS_KEY=@", &long),
        ("secret = @", short),
        ("secret: \"@\"", short),
        ("client_secret: @", short),
        ("\"clientSecret\": \"@\"", short),
        ("token: @", short),
        ("token: @", &long),
        ("access token: @", &long),
        ("auth_token=\"@\"", &long),
        ("GITHUB_TOKEN=@", short),
        ("--token @", &long),
        ("- **Token:** `@`", &long),
        ("| API key | @ | ok |", &long),
        ("the token is @.", &long),
        ("AccountName=x;AccountKey=@;EndpointSuffix=y", &long),
        ("Authorization: Bearer @", &long),
        ("curl -H \"Authorization: Bearer @\" https://example.org", short),
        ("\"Authorization\": \"Basic @\"", "dXNlcjpwYXNz"),
        ("authorization: token @", &long),
        ("sent bearer @", &long),
        ("credentials: @", "admin/hunter2x"),
        ("https://x.blob/y?sv=1&sig=@&se=2", &long),
        ("STRIPE_KEY=@", &long),
        ("https://@@host/path", &long),
        ("https://@@host/path", "token1234"),
    ] {
        let (before, after) = marked.split_once('@').unwrap();
        check(&format!("{before}⟦{value}⟧{after}"));
    }
}

#[test]
fn private_hex_keys_are_hidden_in_context_only() {
    let key = hex(64);
    check(&format!("private key: ⟦0x{key}⟧"));
    check(&format!("PRIVATE_KEY=⟦0x{key}⟧"));
    check(&format!("private_key = \"⟦{key}⟧\""));
    check(&format!("tx 0x{key} confirmed"));
    check(&format!("transaction hash: 0x{key}"));
    check(&format!("commit {}", hex(40)));
    check(&format!("digest: {key}"));
    let seed = "legal winner thank year wave sausage worth useful legal winner thank yellow";
    check(&format!("seed phrase: ⟦{seed}⟧"));
    check(&format!("mnemonic = \"⟦{seed}⟧\""));
}

#[test]
fn a_column_of_passwords_is_hidden() {
    check(
        "| service | user | password |\n|---|---|---|\n| db | bob | ⟦hunter2⟧ |\n| mail | al | `⟦s3cret!x⟧` |\n| x | y | see vault |\n\npassword policy",
    );
    check("| name | token count |\n|---|---|\n| a1b2c3d4e5f6g7 | 12 |\n");
}
