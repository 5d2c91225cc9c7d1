"""Near-synonyms in programming, for the system that expands its queries."""

from __future__ import annotations

from qrelsmith.demo import text

_GROUPS = """
    align pad justify center column
    amount money price decimal
    append add insert push
    archive zip tar
    argument parameter option flag
    array list sequence
    average mean median
    base class parent superclass
    begin start first initial
    big large huge
    biggest largest maximum max
    binary bytes
    bug error exception failure fault
    cache memoize remember
    call invoke
    change modify update alter
    character letter
    check verify test
    checksum digest hash
    child subprocess
    choose pick select
    clean strip trim
    clock time
    close release free shutdown
    columns table
    combine merge join concatenate
    command program script process
    compare difference match
    compress pack deflate
    concurrent parallel simultaneous
    convert transform turn
    copy duplicate clone
    core processor cpu
    coroutine task awaitable
    count number frequency
    date day calendar
    debug trace
    decode parse read
    delete remove discard erase
    dictionary mapping dict
    directory folder subfolder subdirectory
    disk file persistent
    download fetch retrieve
    element item member entry
    empty blank
    encode serialize dump
    encrypt cipher
    end last final
    endless infinite
    execute run
    extract unpack
    fake mock stub
    field attribute property
    find search locate
    fixed constant
    format layout
    function callable method
    generator iterator iterable
    group cluster
    half halfway
    http url web
    integer int
    interval duration timedelta
    key secret
    keep retain preserve
    length size
    limit bound
    line row
    link reference
    log logging logger
    loop iteration
    lower lowercase
    mail email
    memory allocation
    message packet
    minimum smallest min
    module package import
    nested recursive deep
    number numeric
    object instance
    open access
    order sort
    output stdout print
    password credential
    path filename
    pattern wildcard regex glob
    pause sleep wait delay
    position index offset
    queue fifo
    random shuffle
    range interval
    recipient receiver
    regular expression regex
    repeat cycle
    replace substitute swap
    result return answer
    round quantize
    save store write
    send transmit deliver
    server service
    share common
    shell terminal
    slice part portion
    stop cancel terminate kill
    string text
    tag element
    tamper authentic signature
    temporary scratch
    thread worker
    timeout deadline
    tree hierarchy
    unique distinct
    upper uppercase
    walk traverse
    watch monitor
    weekday day
    width length
    wrap fill
    zone timezone utc
"""


def _synonyms() -> dict[str, tuple[str, ...]]:
    synonyms: dict[str, list[str]] = {}
    for line in _GROUPS.strip().splitlines():
        group = [text.stem(word) for word in line.split()]
        for word in group:
            others = synonyms.setdefault(word, [])
            others.extend(other for other in group if other != word and other not in others)
    return {word: tuple(others) for word, others in synonyms.items()}


SYNONYMS = _synonyms()
"""Stem → stems of related words."""
