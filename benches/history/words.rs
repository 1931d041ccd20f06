//! The words that generated histories are made of.

/// How many languages besides English there are.
pub(super) const LANGUAGES: usize = 3;

pub(super) const THINGS: [&str; 24] = [
    "billing",
    "search",
    "auth",
    "export",
    "import",
    "cache",
    "queue",
    "schema",
    "webhook",
    "invoice",
    "session",
    "token",
    "report",
    "backup",
    "gateway",
    "parser",
    "release",
    "pipeline",
    "tenant",
    "ledger",
    "mailer",
    "scheduler",
    "upload",
    "metrics",
];

pub(super) const NOUNS: [&str; 20] = [
    "index",
    "rewrite",
    "migration",
    "service",
    "worker",
    "client",
    "adapter",
    "dashboard",
    "store",
    "runner",
    "limits",
    "retry",
    "layout",
    "router",
    "storage",
    "filter",
    "planner",
    "monitor",
    "bridge",
    "editor",
];

pub(super) const ENDINGS: [&str; 12] = [
    "cleanup",
    "bug",
    "review",
    "rollout",
    "performance",
    "design",
    "tests",
    "deploy",
    "incident",
    "refactor",
    "spike",
    "docs",
];

pub(super) const SERVICES: [&str; 10] = [
    "Postgres",
    "Redis",
    "Kafka",
    "Grafana",
    "Stripe",
    "GitHub Actions",
    "Elasticsearch",
    "Cloudflare",
    "Terraform",
    "Sentry",
];

pub(super) const NAMES: [&str; 8] = ["Alice", "Bob", "Carol", "Dmitri", "Erin", "Femi", "Grace", "Hana"];

pub(super) const FORMATS: [&str; 5] = ["rs", "ts", "py", "sql", "yaml"];

pub(super) const VERBS: [&str; 16] = [
    "moved",
    "measured",
    "replaced",
    "reviewed",
    "split",
    "renamed",
    "removed",
    "decided to keep",
    "documented",
    "rolled back",
    "tested",
    "merged",
    "profiled",
    "rewrote",
    "agreed on",
    "postponed",
];

pub(super) const REASONS: [&str; 8] = [
    "because of",
    "before touching",
    "so that nobody waits for",
    "together with",
    "instead of",
    "until we know more about",
    "which also covers",
    "after the failure of",
];

pub(super) const OUTCOMES: [&str; 10] = [
    "works now",
    "still fails on large inputs",
    "is done and deployed",
    "waits for review",
    "is blocked",
    "passes all checks",
    "went from 340 to 80 ms",
    "needs a second look",
    "was closed as a duplicate",
    "is in production",
];

pub(super) const PERSONAL: [&str; 6] = [
    "Working hours",
    "Editor setup",
    "Timezone",
    "Language of replies",
    "Reviews by the person",
    "Tools at home",
];

pub(super) const RULES: [(&str, &str); 10] = [
    (
        "Run the tests before saying done",
        "twice a change was reported as finished while the suite was red",
    ),
    ("Never force-push the main branch", "it cost the team an afternoon"),
    ("Ask before adding a dependency", "every one has to be audited"),
    ("Keep commits small", "reviews of large ones were skipped"),
    ("Write dates as year-month-day", "two people read a date differently"),
    ("No screenshots of text", "they cannot be searched"),
    ("Quote numbers with their unit", "a timeout was set in the wrong one"),
    ("Answer in the language of the question", "the person switches often"),
    ("Do not rename public interfaces in passing", "clients broke"),
    ("Say what was not checked", "silence was read as approval"),
];

pub(super) const FOREIGN: [[&str; 6]; LANGUAGES] = [
    [
        "今天检查了 {} 的日志，发现大部分延迟来自数据库连接。",
        "决定先保留旧的 {} 接口，等下一个版本再删除。",
        "已完成 {} 的迁移，测试全部通过，明天部署到生产环境。",
        "问题：{} 在高并发下会重复写入，原因是缺少唯一索引。",
        "待办：补充 {} 的文档，并请同事审查。",
        "经验：修改 {} 之前一定要先备份配置文件。",
    ],
    [
        "오늘은 {} 오류를 조사했고 원인은 잘못된 설정값이었습니다.",
        "{} 배포를 다음 주로 미루기로 결정했습니다.",
        "{} 테스트를 모두 통과했고 리뷰를 요청했습니다.",
        "할 일: {} 성능 측정 결과를 정리해서 공유하기.",
        "{} 쿼리가 느려서 인덱스를 추가했더니 응답 시간이 절반으로 줄었습니다.",
        "교훈: {} 변경 전에는 반드시 백업을 확인해야 합니다.",
    ],
    [
        "Сегодня разобрали ошибку в {}: соединение закрывалось раньше времени.",
        "Решили оставить {} как есть до следующего выпуска.",
        "Перенос {} завершён, все проверки пройдены.",
        "Осталось: написать документацию для {} и показать её команде.",
        "После изменения {} время ответа упало вдвое.",
        "Вывод: перед правкой {} нужно сохранить старые настройки.",
    ],
];
