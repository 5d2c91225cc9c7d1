"""Languages of topics: detection, and stop words."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
# Stop words, chosen by hand for topics and queries.
_LISTS = {
    "en": "a an and are as at be by can could do does for from had has have how i if in into is it"
    " its my no not of on one or so such than that the their there these they this to was were what"
    " when where which who whose why will with would you your",
    "de": "aber als am an auch auf aus bei bis damit das dass dem den der des die dies diese ein"
    " eine einem einen einer eines es für gibt hat haben ich im in ist kann kein keine man mehr mit"
    " nach nicht noch nur oder sehr sein sich sie sind über um und unter vom von vor war was welche"
    " wenn wer werden wie wird wo zu zum zur zwischen",
    "fr": "à au aux avec ce ces cette comme comment dans de des du elle en est et être il ils la le"
    " les leur mais ne non nous on ou où par pas plus pour pourquoi quand que quel quelle quelles"
    " quels qui sa se ses si son sont sur un une vous",
    "es": "al ante como cómo con cuál cuáles cuándo de del desde dónde el ella en entre es esta"
    " este hay la las lo los más no o para pero por porque qué que quién se según ser si sin sobre"
    " son su sus un una unas unos y ya",
    "it": "a al alla anche che chi come con da dal dei del della delle di dove e è gli i il in la"
    " le lo ma nel nella non o per perché più quale quali quando se si sono su sul un una uno",
    "pt": "a ao aos as até com como da das de do dos e é em entre foi mais mas na não nas no nos o"
    " os ou para pela pelo por porque quais qual quando que quem se sem ser são sobre sua um uma",
    "nl": "aan als bij dan dat de den die dit een en er het hij hoe ik in is je kan maar met naar"
    " niet of om onder ook op over te tot uit van veel voor waar waarom wat we wel welke wie wordt"
    " zijn",
    "sv": "att av de den det där efter eller en ett för från har hur i inte kan man med mellan men"
    " mot när och om på som till under ut vad var vem vid vilka är",
    "ru": "а без бы был в во вот для до его есть же за и из или их к как какие какой когда кто ли"
    " мы на не о об от по под при с со так то у что чтобы это",
    "ar": "في من على إلى عن مع هذا هذه ذلك التي الذي ما ماذا هل كيف أين متى لماذا أو و ثم أن إن كان"
    " كانت هو هي لا لم لن قد كل بعد قبل بين حتى عند غير",
    "he": "של את על אל עם זה זו זאת הוא היא הם אני לא כן או גם כי אם מה מי איך איפה מתי למה כל יש"
    " אין בין",
    "tr": "bir bu da de için ile ve veya ne nasıl neden mi mı çok daha en gibi olan olarak var",
    "ko": "및 또는 그리고 의 에 를 을 은 는 이 가 것 수 등 어떻게 무엇 왜 어떤",
    "el": "ο η το οι τα του της των και να σε με για από που πως πώς τι στο στη στην είναι δεν",
    "bn": "ও এবং বা এর কি কী কেন কীভাবে কিভাবে জন্য থেকে মধ্যে সঙ্গে সাথে একটি এই সেই হয় আছে না যে করে"
    " তে কে",
    "ta": "ஒரு மற்றும் அல்லது இந்த அந்த என்ன எப்படி ஏன் என்று உள்ள இல்லை ஆகிய இது அது",
    "th": "อย่างไร สำหรับ เนื่องจาก ความ การ ที่ ของ และ ใน เป็น ได้ มี จาก กับ ให้ ว่า นี้ นั้น อย่าง หรือ โดย"
    " จะ ไม่ ด้วย คือ ทำไม อะไร",
    "zh": "的 了 和 在 是 与 及 或 对于 从 到 把 被 有 不 我 你 他 她 它 们 我们 你们 他们 它们"
    " 这 那 个 吗 呢 里 中 上 下 对 什么 怎么 如何 哪些 为什么",
    "ja": "の に を は が で と も や へ か から まで より など する した して いる ある"
    " ない こと もの ため とき です ます について における による に関する として どう どの なぜ"
    " 何 この その これ それ",
    "hi": "का की के को में से पर और है हैं था यह वह क्या कैसे क्यों या एक लिए",
}
STOP_WORDS = {language: frozenset(words.split()) for language, words in _LISTS.items()}
# Scripts that identify a language, or a group of languages for which one language's rules are good
# enough.
_SCRIPTS = (
    ("ja", "\u3040", "\u30ff"), ("ko", "\uac00", "\ud7a3"), ("th", "\u0e00", "\u0e7f"),
    ("zh", "\u4e00", "\u9fff"), ("ar", "\u0600", "\u06ff"), ("he", "\u0590", "\u05ff"),
    ("ru", "\u0400", "\u04ff"), ("el", "\u0370", "\u03ff"), ("hi", "\u0900", "\u097f"),
    ("bn", "\u0980", "\u09ff"), ("ta", "\u0b80", "\u0bff"),
)  # fmt: skip
_LETTERS = {"de": "äöüß", "fr": "çœêûîëï", "es": "ñ¿", "pt": "ãõ", "sv": "åäö", "tr": "ğış"}


def language_of(*texts: str) -> str:
    """Return the likely language of texts, by script, stop words and letters; if unsure, `en`."""
    text = " ".join(texts)
    for language, first, last in _SCRIPTS:
        share = sum(first <= sign <= last for sign in text)
        if share >= 2 and share >= 0.2 * sum(map(str.isalpha, text)):
            return language
    folded = text.casefold()
    words = _WORD.findall(folded)
    scores = {
        language: sum(word in STOP_WORDS[language] for word in words)
        + sum(folded.count(letter) for letter in _LETTERS.get(language, ""))
        for language in ("en", "de", "fr", "es", "it", "pt", "nl", "sv", "tr")
    }
    best = max(scores, key=lambda language: scores[language])
    return best if scores[best] > scores["en"] else "en"


def right_to_left(texts: Iterable[str]) -> bool:
    """Return whether most letters of some texts belong to right-to-left scripts."""
    right = left = 0
    for text in texts:
        for sign in text:
            if "\u0590" <= sign <= "\u08ff" or "\ufb1d" <= sign <= "\ufefc":
                right += 1
            elif sign.isalpha():
                left += 1
    return right > left
