"""Topics and docs in several scripts, and the words that a reader would want to see marked."""

from __future__ import annotations

from typing import NamedTuple


class Case(NamedTuple):
    """A topic's title, a doc, the words to be marked in their order, and the language."""

    language: str
    title: str
    doc: str
    expected: tuple[str, ...]


CASES = {
    "Japanese": Case(
        "ja",
        "古い家のヒートポンプと暖房費",
        "築六十年の古い家に空気熱源ヒートポンプを設置した。暖房費は三割下がった。床暖房は使っていない。"
        "家族は満足している。ヒート・ポンプの音は静かで、コンプレッサーは屋外にある。費用は補助金で賄った。",
        ("古い", "家", "ヒートポンプ", "暖房費", "暖房", "ヒート・ポンプ"),
    ),
    "Chinese": Case(
        "zh",
        "老房子的热泵供暖费用",
        "我们去年在一座老房子里安装了空气源热泵。供暖费用比燃气低三成。热泵运行很安静，"
        "暖气片没有更换。邻居家的新房子用的是地暖。",
        ("老房子", "热泵", "供暖费用", "热泵", "房子"),
    ),
    "Korean": Case(
        "ko",
        "오래된 집의 히트펌프 난방비",
        "우리는 오래된 집에 공기열 히트펌프를 설치했다. 난방비가 삼십 퍼센트 줄었다. 집은 1950년에"
        " 지어졌고 히트펌프는 조용하다. 집중해서 읽어 보자.",
        ("오래", "집에", "히트펌프", "난방비", "집은", "히트펌프"),
    ),
    "Thai": Case(
        "th",
        "ปั๊มความร้อนในบ้านเก่า",
        "เราติดตั้งปั๊มความร้อนสำหรับบ้านเก่าของเราเมื่อปีที่แล้ว ค่าไฟลดลงมาก ความสุขของครอบครัวเพิ่มขึ้น"
        " เพื่อนบ้านก็อยากได้ปั๊มเหมือนกัน",
        ("ปั๊ม", "ร้อน", "บ้านเก่า", "ปั๊ม"),
    ),
    "Arabic": Case(
        "ar",
        "المضخات الحرارية في البيوت القديمة",
        "ركبنا مضخة حرارية في بيت قديم قبل سنتين. والمضخات الحرارية هادئة في الليل."
        " البيوت القديمة باردة في الشتاء، لكن الفاتورة انخفضت.",
        ("مضخة", "حرارية", "بيت", "قديم", "والمضخات", "الحرارية", "البيوت", "القديمة"),
    ),
    "German": Case(
        "de",
        "Wärmepumpen in alten Häusern",
        "Eine Wärmepumpe im alten Haus lohnt sich. Die Wärmepumpenheizung unseres Hauses läuft seit"
        " zwei Wintern; ältere Häuser brauchen größere Heizkörper. Altbewährt ist das nicht.",
        ("Wärmepumpe", "alten", "Haus", "Wärmepump", "Hauses", "ältere", "Häuser"),
    ),
    "Russian": Case(
        "ru",
        "Тепловые насосы в старых домах",
        "Тепловой насос отапливает старый дом. В наших домах насосы работают тихо.",
        ("Тепловой", "насос", "старый", "дом", "домах", "насосы"),
    ),
}
