//! What headings and files of sessions name.

use super::super::{name, name_of_file, role_in};
use crate::memory::language::Role;

#[test]
fn names_lose_serials_stamps_brackets_and_outcomes() {
    let cases = [
        ("Session 3: Failed login post (10:59)", Some("Failed login post")),
        ("14:00 UTC — Search index", Some("Search index")),
        ("UTC offsets of the shops", Some("UTC offsets of the shops")),
        ("Review #18", Some("Review")),
        ("P0 - Router outage", Some("Router outage")),
        ("Phase 2 — Harbour map", Some("Harbour map")),
        ("第3回 定例会議", Some("定例会議")),
        ("Этап 4: Крыша склада", Some("Крыша склада")),
        ("Карта пирса завершена", Some("Карта пирса")),
        ("Heartbeat at 2026-03-14 07:40 UTC", None),
        ("Lesson captured from Anna", None),
        ("New preference confirmed", None),
        ("Ahmed preferences", Some("Ahmed preferences")),
        ("Boat shared by Anna", Some("Boat shared by Anna")),
        ("检查结果", None),
        ("動作", None),
        ("Sitzung 12: Hafenplan", Some("Hafenplan")),
        ("Sessione 3: Mappa del porto", Some("Mappa del porto")),
        ("Fase 2 — Kaart van de haven", Some("Kaart van de haven")),
        ("Etap 4: Dach magazynu", Some("Dach magazynu")),
        ("Aşama 2: Liman haritası", Some("Liman haritası")),
        ("Tahap 3 — Peta pelabuhan", Some("Peta pelabuhan")),
        ("Крок 5: Мапа порту", Some("Мапа порту")),
        ("Mapa portu zakończone", Some("Mapa portu")),
        ("Liman haritası tamamlandı", Some("Liman haritası")),
        ("Dan", Some("Dan")),
        ("Ben", Some("Ben")),
        ("CI", Some("CI")),
        ("Door", Some("Door")),
        ("Login form fixed", Some("Login form")),
        ("Uploads (2 of 3 file(s)) hang", Some("Uploads hang")),
        ("Issue 2: Lift stuck", Some("Lift stuck")),
        ("Critical fix #3: Lift stuck", Some("Lift stuck")),
        ("Major Milestone: Quay map fully deployed", Some("Quay map")),
        ("Fixed the fog sensor page", Some("fog sensor page")),
        ("Quay map drawn and delivered", Some("Quay map drawn")),
        ("Continued pier survey", Some("pier survey")),
        ("Verified berth list", Some("berth list")),
        ("Berth income today", Some("Berth income")),
        ("Fixes pushed today", None),
        ("What we painted today", None),
        ("Was Anna wollte", None),
        ("Client notes", None),
        ("Payment status", None),
        ("Harbour status", Some("Harbour status")),
        ("Auto-Updates", Some("Auto-Updates")),
        ("Обновлён график причала", Some("график причала")),
        ("Atualizadas tabelas do porto", Some("tabelas do porto")),
        ("北埠頭の図面を更新", Some("北埠頭の図面")),
        ("起重机时刻表更新", Some("起重机时刻表")),
        ("Quay 42 時刻表追加", Some("Quay 42 時刻表")),
        ("追加検証", Some("追加検証")),
        ("自動更新", Some("自動更新")),
        ("たべもの追加", Some("たべもの追加")),
        ("その後の反映", None),
        ("倉庫の点検（夜の部）- 中断", Some("倉庫の点検 - 中断")),
        ("Tulvik(beta)-release plan", Some("Tulvik-release plan")),
        ("本次新增的錯誤", None),
        ("Tulvik项目最新进展", Some("Tulvik")),
        ("Tulvikプロジェクト", Some("Tulvik")),
        ("码头项目", Some("码头项目")),
        ("碼頭鋼纜", Some("碼頭鋼纜")),
        ("ユーザーの不満", None),
        ("修复了灯塔时钟", Some("灯塔时钟")),
        ("测试通过", None),
        ("了解灯塔", Some("了解灯塔")),
        ("Anna's correction", None),
        ("Feedback from Anna", None),
        ("Anna's boat", Some("Anna's boat")),
        ("Ferry Overview", Some("Ferry")),
        ("Tier 2: Lamp hall", Some("Lamp hall")),
        ("Decision: two cranes", Some("two cranes")),
        ("Sprint complete", None),
        ("Neues Mitglied", Some("Neues Mitglied")),
        ("Moved from the old quay", Some("Moved from the old quay")),
        ("Closed Beta", Some("Closed Beta")),
        ("Mission Control", Some("Mission Control")),
        ("Harbour Status", Some("Harbour Status")),
    ];
    for (title, expected) in cases {
        assert_eq!(name(title).as_deref(), expected, "{title}");
    }
    for title in [
        "2026-03-14",
        "Heartbeats 17:10-17:50 UTC (29)",
        "P1：中等问题",
        "Health Check",
        "Research Findings",
        "Root Causes & Prevention",
        "5:15 PM - Final Check",
        "WRONG (at first)",
        "((",
        "",
    ] {
        assert_eq!(name(title), None, "{title}");
    }
}

#[test]
fn a_session_file_is_named_by_its_slug() {
    let cases = [
        ("2026-03-13-router-outage", Some("Router outage")),
        ("2026-03-13_harbour_map", Some("Harbour map")),
        ("2026-03-13-1422", None),
        ("2026-03-13-[REDACTED]", None),
        ("2026-03-13-[REDACTED]-router", Some("Router")),
        ("2026-03-13", None),
        // Where a model should have named the session: its error, cut after 30 characters.
        ("2026-03-13-request-timed-out-before-a-res", None),
        ("2026-03-13-session-greeting", None),
        ("ééééééééé", None),
    ];
    for (file, expected) in cases {
        assert_eq!(name_of_file(file).as_deref(), expected, "{file}");
    }
}

#[test]
fn a_label_holds_rules_whatever_is_shouted_before_it_or_stands_behind_it_in_brackets() {
    for label in [
        "RULE (not to be broken)",
        "CRITICAL: Reply rule",
        "QUAY SAFETY RULE",
        "Reply rule",
        "Quay plan (HARD RULE)",
        "Kran-Regel",
    ] {
        assert_eq!(role_in(label, 0), Some(Role::Rule), "{label}");
    }
    for (label, role) in [
        ("Preference learned from Anna", Some(Role::Like)),
        ("Reply preference clarified", Some(Role::Like)),
        ("Captured lesson from Anna", Some(Role::Lesson)),
        ("New rule confirmed", Some(Role::Rule)),
        ("Praise/lesson", Some(Role::Lesson)),
        ("Ahmed preferences", Some(Role::Like)),
        ("Rules for deleted accounts", Some(Role::Rule)),
        ("Outdated rules", None),
        ("Cost/rules", None),
        ("Removed rules", None),
        ("Удалённые правила", None),
        ("Shared preferences page", None),
    ] {
        assert_eq!(role_in(label, 0), role, "{label}");
    }
    for label in [
        "ICANN transfer rule",
        "Crane: Reply rule",
        "Quay plan (rule)",
        "Rule (a@b.example)",
    ] {
        assert_eq!(role_in(label, 0), None, "{label}");
    }
}
