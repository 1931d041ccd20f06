//! The table of field names: what each field is called, in the singular and plural, in the languages that
//! logs are kept in.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::FieldName;
use crate::memory::topic;

/// Words before a field's name that only colour it, folded.
pub(super) const COLOURING: &[&str] = &[
    "key",
    "main",
    "final",
    "important",
    "major",
    "minor",
    "my",
    "our",
    "the",
    "user",
    "users",
    "new",
    "today",
    "todays",
    "s",
    "all",
    "some",
    "design",
    "technical",
    "overall",
    "current",
    "other",
    "additional",
    "related",
    "completed",
    "wichtige",
    "wichtigste",
    "主要",
    "重要",
    "关键",
    "關鍵",
    "주요",
    "핵심",
    "ключевые",
    "важные",
    "основные",
    "principales",
    "principais",
    "clave",
    "clés",
];

/// Words after a field's name that begin its colouring, folded.
pub(super) const JOINING: &[&str] = &[
    "with", "and", "made", "taken", "for", "from", "of", "so", "about", "on", "to", "by", "this", "today",
    "mit", "und", "avec", "et", "con", "y", "com", "e", "с", "и", "so far", "및", "と",
];

/// The names, separated by `|`: English, Korean, Chinese (simplified, traditional), Japanese, Russian,
/// German, French, Spanish, Portuguese, Vietnamese, Arabic, Hebrew, Thai.
const NAMES: [(FieldName, &str); 13] = [
    (
        FieldName::Request,
        "request|requests|user request|ask|asks|asked|task request|goal|goals|objective|objectives\
        |question|requirement|requirements\
         |요청|요청사항|요청 사항|요구사항|요구 사항|목표|질문\
         |请求|要求|需求|目标|目的|问题|請求|目標|問題|用户请求|用戶請求\
         |依頼|リクエスト|要望|ゴール|質問\
         |запрос|запросы|просьба|цель|цели|задача|вопрос|требования\
         |anfrage|anfragen|anforderung|anforderungen|auftrag|ziel|ziele|frage\
         |demande|demandes|requête|objectif|objectifs|question\
         |solicitud|solicitudes|petición|peticiones|pedido|objetivo|objetivos|pregunta\
         |solicitação|solicitações|pedidos|requisição|requisitos|pergunta\
         |yêu cầu|mục tiêu|câu hỏi\
         |الطلب|طلب|الطلبات|الهدف|الأهداف|السؤال\
         |בקשה|בקשות|הבקשה|מטרה|מטרות|שאלה\
         |คำขอ|ความต้องการ|เป้าหมาย|คำถาม",
    ),
    (
        FieldName::Analysis,
        "analysis|analyses|investigation|finding|findings|diagnosis|root cause|root causes|research\
        |insight|insights|observation|observations|cause\
         |분석|조사|원인|근본 원인|발견|발견사항|발견 사항|진단\
         |分析|调查|調查|原因|根本原因|根因|发现|發現|诊断|診斷\
         |調査|解析|発見|所見|診断\
         |анализ|исследование|находки|причина|причины|наблюдения|диагноз\
         |analyse|analysen|untersuchung|erkenntnis|erkenntnisse|ursache|ursachen|befund|befunde\
         |analyses|constat|constats|observation|observations|enquête\
         |análisis|hallazgo|hallazgos|investigación|causa|causas|diagnóstico\
         |análise|análises|achados|descobertas|investigação\
         |phân tích|nguyên nhân|phát hiện|điều tra\
         |التحليل|تحليل|السبب|الأسباب|النتائج الأولية\
         |ניתוח|ממצאים|סיבה\
         |การวิเคราะห์|วิเคราะห์|สาเหตุ|ข้อค้นพบ",
    ),
    (
        FieldName::Decisions,
        "decision|decisions|decided|decision made|decisions made|choice|choices|resolution|resolutions\
        |agreed|agreement\
         |결정|결정사항|결정 사항|결정들|선택\
         |决定|决策|决议|決定|決策|決議|选择|選擇\
         |決定事項|判断|方針\
         |решение|решения|решили|решено|выбор\
         |entscheidung|entscheidungen|beschluss|beschlüsse|entschieden\
         |décision|décisions|choix\
         |decisión|decisiones|elección\
         |decisão|decisões|escolha\
         |quyết định|lựa chọn\
         |القرار|قرار|القرارات|قرارات\
         |החלטה|החלטות|הוחלט\
         |การตัดสินใจ|ตัดสินใจ|ข้อสรุป|มติ",
    ),
    (
        FieldName::Outcome,
        "outcome|outcomes|result|results|output|outputs|conclusion|conclusions|resolved|effect|impact\
         |결과|결과물|결론|성과\
         |结果|成果|结论|結果|結論|产出|產出|影响|影響\
         |アウトカム|まとめ\
         |результат|результаты|итог|итоги|вывод|выводы\
         |ergebnis|ergebnisse|resultat|resultate|fazit|ausgang\
         |résultat|résultats|conclusion|conclusions|bilan\
         |resultado|resultados|conclusión|conclusiones\
         |conclusão|conclusões|desfecho\
         |kết quả|kết luận\
         |النتيجة|نتيجة|النتائج|نتائج|الخلاصة\
         |תוצאה|תוצאות|מסקנה|מסקנות\
         |ผลลัพธ์|ผล|ผลการดำเนินงาน|สรุป",
    ),
    (
        FieldName::References,
        "reference|references|ref|refs|link|links|source|sources|file|files|see also|see|files changed\
        |changed files|modified files|files modified|resources\
         |참고|참조|참고자료|참고 자료|링크|파일|관련 파일|출처|변경 파일\
         |参考|引用|参考资料|链接|文件|相关文件|来源|參考|參考資料|連結|鏈接|檔案|相關檔案|來源|修改文件\
         |参照|参考資料|リンク|ファイル|関連ファイル|出典\
         |ссылка|ссылки|источник|источники|файл|файлы\
         |referenz|referenzen|verweis|verweise|quelle|quellen|datei|dateien\
         |référence|références|lien|liens|fichier|fichiers\
         |referencia|referencias|enlace|enlaces|archivo|archivos|fuente|fuentes\
         |referência|referências|arquivo|arquivos|ficheiros|fonte|fontes\
         |tham khảo|tài liệu tham khảo|liên kết|tệp|tập tin|nguồn\
         |المراجع|مراجع|مرجع|المرجع|الروابط|رابط|الملفات|المصادر\
         |הפניה|הפניות|מקורות|קישור|קישורים|קובץ|קבצים\
         |อ้างอิง|เอกสารอ้างอิง|ลิงก์|ไฟล์|แหล่งที่มา",
    ),
    (
        FieldName::Rule,
        "rule|rules|feedback|preference|preferences|guideline|guidelines|instruction|instructions|policy\
        |principle|principles\
         |규칙|원칙|피드백|선호|선호사항|지침\
         |规则|規則|反馈|反饋|回饋|偏好|准则|準則|原则|原則|指示\
         |ルール|フィードバック|好み|指針\
         |правило|правила|предпочтение|предпочтения|принцип|принципы|инструкция\
         |regel|regeln|vorgabe|vorgaben|präferenz|präferenzen|grundsatz|grundsätze|richtlinie|richtlinien\
         |règle|règles|préférence|préférences|consigne|consignes|principe|principes\
         |regla|reglas|preferencia|preferencias|directriz|directrices|principio|principios\
         |regra|regras|preferência|preferências|diretriz|diretrizes|princípio|princípios\
         |quy tắc|nguyên tắc|sở thích|phản hồi|hướng dẫn\
         |القاعدة|قاعدة|القواعد|قواعد|التفضيلات|تفضيل|المبدأ\
         |כלל|כללים|העדפה|העדפות|משוב|עיקרון\
         |กฎ|กติกา|หลักการ|ความชอบ|ข้อเสนอแนะ",
    ),
    (
        FieldName::Why,
        "why|reason|reasons|rationale|reasoning|because|motivation|justification\
         |이유|왜|근거|사유|배경 이유\
         |为什么|為什麼|理由|缘由|緣由|依据|依據|为何|為何\
         |なぜ|根拠|動機\
         |почему|зачем|обоснование|мотивация\
         |warum|grund|gründe|begründung|motivation\
         |pourquoi|raison|raisons|justification\
         |por qué|razón|razones|motivo|motivos|justificación\
         |por quê|por que|razão|razões|justificativa\
         |tại sao|lý do|vì sao\
         |لماذا|المبرر|التعليل|السبب في ذلك\
         |למה|מדוע|נימוק|נימוקים|הסיבה\
         |ทำไม|เหตุผล|เพราะ",
    ),
    (
        FieldName::HowToApply,
        "how to apply|how|apply|application|when to apply|usage|how to use|in practice\
         |적용 방법|적용방법|적용|어떻게|사용법\
         |如何应用|如何應用|应用方式|應用方式|应用方法|應用方法|如何执行|適用方式|做法\
         |適用方法|適用|使い方|どう適用するか\
         |как применять|применение|как использовать\
         |anwendung|wie anwenden|wie anzuwenden|umsetzung\
         |comment appliquer|application|mise en œuvre|mise en pratique\
         |cómo aplicar|cómo aplicarlo|aplicación\
         |como aplicar|aplicação\
         |cách áp dụng|áp dụng\
         |كيفية التطبيق|التطبيق|كيف\
         |איך ליישם|אופן היישום|יישום\
         |วิธีใช้|วิธีนำไปใช้|การนำไปใช้|วิธีประยุกต์",
    ),
    (
        FieldName::Tasks,
        "task|tasks|done|completed|tasks completed|completed tasks|completed work|work done|what was done\
        |what i did|actions|action|action taken|actions taken\
         |accomplished|accomplishments|achievements|changes|changes made|implemented|implementation\
         |progress|fix|fixes|steps taken|activities\
         |완료|완료 작업|완료한 작업|완료된 작업|작업|작업 내용|한 일|변경사항|변경 사항|진행|진행 상황|구현|수정\
         |完成|已完成|任务|任務|已完成任务|已完成任務|完成的工作|工作内容|工作內容|进展|進展|变更|變更|改动|改動|实现|實現|行动|行動|完成事项|完成事項\
         |完了|タスク|作業|作業内容|やったこと|実施内容|完了タスク|変更点|進捗|対応|実装|修正\
         |задачи|сделано|выполнено|что сделано|выполненные задачи|изменения|прогресс|действия\
         |aufgabe|aufgaben|erledigt|erledigte aufgaben|umgesetzt|änderungen|fortschritt|maßnahmen\
         |tâche|tâches|fait|terminé|tâches terminées|actions|modifications|avancement|réalisé\
         |tarea|tareas|hecho|completado|tareas completadas|cambios|acciones|progreso|avances\
         |tarefa|tarefas|feito|concluído|concluídas|tarefas concluídas|mudanças|alterações|ações|progresso\
         |công việc|đã làm|đã hoàn thành|hoàn thành|nhiệm vụ|thay đổi|tiến độ\
         |المهام|مهام|تم|المنجز|ما تم إنجازه|التغييرات|الإجراءات|التقدم\
         |משימה|משימות|בוצע|הושלם|מה נעשה|שינויים|פעולות|התקדמות\
         |งาน|งานที่ทำ|ทำแล้ว|เสร็จแล้ว|งานที่เสร็จแล้ว|การเปลี่ยนแปลง|ความคืบหน้า|สิ่งที่ทำ",
    ),
    (
        FieldName::Open,
        "open|open items|open item|open questions|open question|open issues|next|next step|next steps|todo\
        |todos|to do|to dos|pending|follow up|follow ups|followup\
         |followups|remaining|remaining work|action items|blocker|blockers|blocked|carried forward|backlog\
         |what s next|up next|in progress|later|unresolved\
         |다음|다음 단계|할 일|할일|남은 작업|남은 일|미해결|보류|후속|후속 조치|후속 작업|진행 중|진행중|미완료|이슈\
         |下一步|待办|待办事项|待處理|待处理|未完成|后续|後續|待辦|待辦事項|待解决|待解決|遗留问题|遺留問題|下步计划|计划|計劃|阻塞|进行中|進行中|后续步骤\
         |次のステップ|次|次のアクション|今後|残タスク|残作業|未解決|課題|保留|ネクストステップ|次にやること|予定\
         |дальше|далее|следующие шаги|следующий шаг|открытые вопросы|осталось|план|планы|не сделано\
         |блокеры|в работе\
         |offen|offene punkte|offene fragen|nächste schritte|nächster schritt|ausstehend|blockiert|zu tun\
         |à faire|prochaine étape|prochaines étapes|en attente|en cours|restant|reste à faire|suite\
         |questions ouvertes|blocages\
         |pendiente|pendientes|próximo paso|próximos pasos|siguiente paso|siguientes pasos|por hacer\
         |en curso|bloqueos|siguiente\
         |pendência|pendências|próximo passo|próximos passos|a fazer|em andamento|bloqueios|em aberto\
         |tiếp theo|bước tiếp theo|các bước tiếp theo|cần làm|việc cần làm|còn lại|đang làm|chưa xong\
         |tồn đọng\
         |الخطوات التالية|الخطوة التالية|المعلق|معلق|قيد التنفيذ|المتبقي|للمتابعة\
         |הבא|צעדים הבאים|הצעד הבא|פתוח|נושאים פתוחים|לביצוע|בהמתנה|נותר\
         |ขั้นตอนต่อไป|ขั้นต่อไป|ต่อไป|สิ่งที่ต้องทำ|งานค้าง|ค้างอยู่|รอดำเนินการ|ยังไม่เสร็จ",
    ),
    (
        FieldName::Lessons,
        "lesson|lessons|lesson learned|lessons learned|lessons learnt|learning|learnings|learned|takeaway\
        |takeaways|key takeaways|til|what i learned|retrospective|lessons patterns\
         |교훈|배운 점|배운점|배운 것|깨달은 점|회고\
         |教训|经验教训|经验|学到的|收获|心得|教訓|經驗教訓|經驗|學到的|收穫|反思|总结|總結\
         |学び|学んだこと|気づき|反省|振り返り\
         |урок|уроки|извлечённые уроки|извлеченные уроки|чему научились|что узнали\
         |lektion|lektionen|lehre|lehren|gelernt|lernpunkte|gelerntes\
         |leçon|leçons|leçons apprises|apprentissage|apprentissages|enseignements|appris\
         |lección|lecciones|lecciones aprendidas|aprendizaje|aprendizajes|aprendido\
         |lição|lições|lições aprendidas|aprendizado|aprendizados|aprendizagem\
         |bài học|bài học kinh nghiệm|rút kinh nghiệm|đã học\
         |الدروس|دروس|الدروس المستفادة|الدرس|ما تعلمته\
         |לקח|לקחים|תובנות|מה למדנו|למדתי\
         |บทเรียน|สิ่งที่ได้เรียนรู้|สิ่งที่เรียนรู้",
    ),
    (
        FieldName::Context,
        "context|background|situation|problem|overview|summary|description|issue|setting\
         |배경|맥락|상황|문제|개요|요약|컨텍스트\
         |背景|上下文|情境|概述|概要|摘要|语境|語境|描述\
         |コンテキスト|文脈|経緯|状況|概略|サマリー|要約\
         |контекст|фон|предыстория|ситуация|проблема|обзор|описание|кратко\
         |kontext|hintergrund|situation|problem|überblick|zusammenfassung|ausgangslage\
         |contexte|arrière plan|problème|résumé|aperçu|situation\
         |contexto|antecedentes|situación|problema|resumen|descripción\
         |situação|resumo|descrição|visão geral\
         |bối cảnh|ngữ cảnh|tình huống|vấn đề|tóm tắt|tổng quan\
         |السياق|سياق|الخلفية|خلفية|المشكلة|الملخص|ملخص|نظرة عامة\
         |הקשר|רקע|בעיה|סיכום|תקציר|תיאור\
         |บริบท|ภูมิหลัง|ความเป็นมา|ปัญหา|ภาพรวม|บทสรุป",
    ),
    (
        FieldName::State,
        "state|status|current state|current status|status update\
         |상태|현재 상태|현황\
         |状态|狀態|现状|現狀|当前状态|目前状态|目前狀態|當前狀態\
         |状態|現状|ステータス|現在の状態\
         |состояние|статус|текущее состояние|текущий статус\
         |status|zustand|stand|aktueller stand\
         |état|statut|état actuel\
         |estado|estado actual|estatus\
         |situação atual|estado atual\
         |trạng thái|tình trạng|hiện trạng\
         |الحالة|حالة|الوضع الحالي\
         |מצב|סטטוס|מצב נוכחי\
         |สถานะ|สถานะปัจจุบัน|สถานการณ์",
    ),
];

static TABLE: LazyLock<HashMap<String, FieldName>> = LazyLock::new(|| {
    let mut table = HashMap::new();
    for (field, names) in NAMES {
        for name in names.split('|') {
            // Where languages share a word, the field that comes first has it.
            table.entry(topic::key(name).to_string()).or_insert(field);
        }
    }
    table
});

/// The field that a folded label names.
pub(super) fn field(label: &str) -> Option<FieldName> {
    TABLE.get(label).copied()
}
