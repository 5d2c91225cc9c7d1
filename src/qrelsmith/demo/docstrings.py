"""The docs of the demo test collection: the docstrings of Python's own standard library."""

from __future__ import annotations

import functools
import importlib
import inspect
import itertools
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from types import ModuleType

# The order matters: if two modules have an equal claim to an object, or two docs the same text, the
# earlier module keeps it. A module that this Python lacks is left out.
_NAMES = """
    builtins collections collections.abc itertools functools operator re os os.path pathlib shutil
    glob fnmatch tempfile filecmp fileinput stat linecache io json csv tomllib configparser plistlib
    datetime time calendar zoneinfo sched math cmath random statistics decimal fractions numbers
    struct array heapq bisect queue graphlib string textwrap difflib unicodedata stringprep codecs
    locale gettext threading asyncio concurrent.futures contextvars multiprocessing
    multiprocessing.pool multiprocessing.shared_memory multiprocessing.managers
    multiprocessing.connection subprocess signal selectors select socket socketserver ssl mmap fcntl
    resource urllib.request urllib.parse urllib.error urllib.robotparser urllib.response http
    http.client http.server http.cookies http.cookiejar html html.parser html.entities email
    email.message email.mime.multipart email.mime.text email.mime.base email.mime.image
    email.mime.application email.parser email.feedparser email.generator email.policy email.header
    email.headerregistry email.charset email.encoders email.errors email.utils email.contentmanager
    mailbox mimetypes base64 binascii quopri smtplib imaplib poplib ftplib netrc wsgiref
    wsgiref.simple_server wsgiref.util wsgiref.headers wsgiref.handlers wsgiref.validate
    xmlrpc.client xmlrpc.server webbrowser ipaddress uuid xml.etree.ElementTree xml.dom
    xml.dom.minidom xml.dom.pulldom xml.sax xml.sax.handler xml.sax.saxutils xml.sax.xmlreader
    xml.parsers.expat zipfile tarfile gzip bz2 lzma zlib compression.zstd zipapp zipimport hashlib
    hmac secrets getpass sqlite3 dbm pickle pickletools shelve marshal copyreg copy logging
    logging.config logging.handlers argparse getopt optparse shlex cmd code codeop unittest
    unittest.mock doctest pdb bdb traceback faulthandler warnings contextlib dataclasses enum typing
    types abc weakref gc inspect annotationlib ast dis symtable token tokenize keyword tabnanny
    pyclbr py_compile compileall timeit cProfile profile pstats trace tracemalloc pprint reprlib
    atexit sys sysconfig site errno platform importlib importlib.abc importlib.machinery
    importlib.util importlib.metadata importlib.resources pkgutil modulefinder runpy venv ctypes
    ctypes.util wave colorsys
"""
MODULES = tuple(_NAMES.split())
_LISTED = frozenset(MODULES)
_PLAIN = (type(None), bool, int, float, complex, str, bytes)


class _Omitted:
    def __repr__(self) -> str:
        return "..."


_OMITTED = _Omitted()


@dataclass(frozen=True, slots=True)
class DemoDoc:
    """A docstring: its public dotted name, the name with its signature, and the text."""

    doc_id: str
    title: str
    text: str


def stdlib_docs() -> list[DemoDoc]:
    """Return the public docstrings of the standard library of the running Python.

    The docs depend on the version of Python (and slightly on the system), but not on the run. No
    title or text contains a memory address, a path of this machine or other data of the
    environment.

    Returns
    -------
    list of Doc
        Sorted by `doc_id`; ids and texts are unique. A function or class in several modules has one
        name. A method is listed under the class that defines it.
    """
    # Old parts of the library warn when they are imported or accessed, but reading their docs is
    # not a use.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        modules = {name: module for name in MODULES if (module := _import(name)) is not None}
        docs = [
            DemoDoc(name, name, inspect.getdoc(module) or "") for name, module in modules.items()
        ]
        objects = _choose_names(modules)
        public = frozenset(map(id, objects.values()))
        for (owner, name), obj in objects.items():
            prefix = "" if owner == "builtins" else f"{owner}."
            docs.extend(_object_docs(prefix + name, obj, public))
    return _first_of_each_text(docs)


def _import(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:  # a different version or system, or built without the module
        return None


def _first_of_each_text(docs: list[DemoDoc]) -> list[DemoDoc]:
    by_text: dict[str, DemoDoc] = {}
    order = {name: i for i, name in enumerate(MODULES)}

    def rank(doc: DemoDoc) -> tuple[int, int, str]:
        owner = doc.doc_id
        while owner and owner not in order:
            owner = owner.rpartition(".")[0]
        # The shorter of two names in a module is better known: random.choice comes before
        # random.Random.choice, set.copy before frozenset.copy.
        return order.get(owner, -1), len(doc.doc_id), doc.doc_id

    for doc in sorted(docs, key=rank):
        if any(map(str.isalpha, doc.text)):
            by_text.setdefault(doc.text, doc)
    unique = {doc.doc_id: doc for doc in reversed(by_text.values())}
    return [unique[doc_id] for doc_id in sorted(unique)]


def _choose_names(modules: dict[str, ModuleType]) -> dict[tuple[str, str], object]:
    """Choose one module and name for every public function and class."""
    best: dict[int, tuple[tuple[int, bool, int, int, str], str, str, object]] = {}
    for position, (module, namespace) in enumerate(modules.items()):
        for name, obj in _public_members(namespace):
            home = _home(obj)
            if home.partition(".")[0] not in sys.stdlib_module_names | {""}:
                continue  # was added by other software, such as a debugger's hook
            if module == "builtins" or _belongs(home, module):
                claim = 0
            elif "__all__" not in vars(namespace):
                continue  # imported for internal use by the module
            else:
                claim = 2 if home in _LISTED else 1
            alias = name != getattr(obj, "__name__", name)
            key = (claim, alias, position, len(name), name)
            if id(obj) not in best or key < best[id(obj)][0]:
                best[id(obj)] = (key, module, name, obj)
    return {(module, name): obj for _, module, name, obj in best.values()}


def _home(obj: object) -> str:
    home = getattr(obj, "__module__", None)
    return home if isinstance(home, str) else ""


def _belongs(home: str, module: str) -> bool:
    if home in _LISTED:
        return home == module
    # Accelerators are in a module with an underscore (_json), parts of packages in submodules.
    return home.lstrip("_") == module or home.startswith(f"{module}.")


def _public_members(namespace: ModuleType) -> Iterator[tuple[str, object]]:
    for name in getattr(namespace, "__all__", None) or vars(namespace):
        if name.startswith("_"):
            continue
        try:
            obj = getattr(namespace, name)
        except (AttributeError, ImportError):  # listed, but unavailable on this system
            continue
        if name.endswith("hook"):
            # A test runner or debugger may have replaced the hook. The original has underscores.
            obj = getattr(namespace, f"__{name}__", obj)
        if name == "showwarning":
            # Programs such as qrelsmith replace the hook; the original has a private name.
            obj = getattr(namespace, "_showwarning_orig", obj)
        if inspect.isclass(obj) or inspect.isroutine(obj) or _is_documented_callable(obj):
            yield name, obj


def _is_documented_callable(obj: object) -> bool:
    """Return whether an object with a docstring is callable, but neither a function nor a class."""
    return (
        callable(obj)
        and isinstance(getattr(obj, "__doc__", None), str)
        and obj.__doc__ != type(obj).__doc__
    )


def _object_docs(name: str, obj: object, public: frozenset[int]) -> Iterator[DemoDoc]:
    if not inspect.isclass(obj):
        # Callable instances, such as typing.Optional, have no signature.
        known = inspect.isroutine(obj) or hasattr(obj, "__wrapped__")
        yield DemoDoc(name, name + (_signature(obj, bound=True) if known else ""), _docstring(obj))
        return
    # Docs and methods of a base without a public name have no other place. For example,
    # add_argument belongs to a private base of argparse.ArgumentParser.
    private = [base for base in obj.__mro__[1:] if id(base) not in public]
    docstrings = (
        _class_docstring(base)
        for base in itertools.takewhile(lambda base: base is obj or base in private, obj.__mro__)
    )
    yield DemoDoc(name, name + _signature(obj, bound=True), next(filter(None, docstrings), ""))
    members: dict[str, object] = {}
    for base in reversed([obj, *private]):
        members.update(vars(base))
    for attribute, value in sorted(members.items()):
        if not attribute.startswith("_"):
            yield _member_doc(f"{name}.{attribute}", value)


def _member_doc(name: str, value: object) -> DemoDoc:
    if inspect.isclass(value):
        return DemoDoc(name, name + _signature(value, bound=True), _class_docstring(value))
    if isinstance(value, (staticmethod, classmethod)):
        bound = isinstance(value, staticmethod)
        return DemoDoc(name, name + _signature(value.__func__, bound=bound), _docstring(value))
    if inspect.isroutine(value):
        return DemoDoc(name, name + _signature(value, bound=False), _docstring(value))
    if isinstance(value, (property, functools.cached_property)) or inspect.isdatadescriptor(value):
        return DemoDoc(name, name, _docstring(value))
    return DemoDoc(name, name, "")  # a constant, whose docstring would be that of its type


def _docstring(obj: object) -> str:
    text = getattr(obj, "__doc__", None)
    if not isinstance(text, str) or text == type(obj).__doc__:
        return ""
    # The docs of named tuple fields are all like "Alias for field number 3".
    return "" if text.startswith("Alias for field number") else inspect.cleandoc(text)


def _class_docstring(cls: type) -> str:
    text = vars(cls).get("__doc__")
    if not isinstance(text, str):
        text = ""
    # Data classes and named tuples without a docstring get their signature as docstring.
    written_by_machine = is_dataclass(cls) or hasattr(cls, "_fields")
    if written_by_machine and text.startswith(f"{cls.__name__}(") and "\n" not in text:
        text = ""
    constructor = vars(cls).get("__init__")
    parts = [text, _docstring(constructor) if inspect.isfunction(constructor) else ""]
    return "\n\n".join(inspect.cleandoc(part) for part in parts if part)


def _signature(obj: object, *, bound: bool) -> str:
    """Format the parameters of `obj` as one deterministic line; "" if they are unknown."""
    try:
        signature = inspect.signature(obj)  # type: ignore[arg-type]
    except (TypeError, ValueError, NameError, AttributeError):
        return ""
    parameters = [_simplify(parameter) for parameter in signature.parameters.values()]
    if not bound and parameters and parameters[0].kind < inspect.Parameter.VAR_POSITIONAL:
        parameters = parameters[1:]  # self or cls, which callers do not pass
    return str(inspect.Signature(parameters))


def _simplify(parameter: inspect.Parameter) -> inspect.Parameter:
    """Remove a parameter's annotation, and a default that may differ between runs or machines."""
    default = parameter.default
    if default is not inspect.Parameter.empty and not _is_plain(default):
        default = _OMITTED
    return parameter.replace(annotation=inspect.Parameter.empty, default=default)


def _is_plain(value: object) -> bool:
    if isinstance(value, tuple):
        return type(value) is tuple and len(value) <= 3 and all(map(_is_plain, value))
    if type(value) not in _PLAIN:
        return False
    # Long texts and absolute paths depend on the system for which the library was built.
    return not isinstance(value, str) or (len(value) <= 20 and not Path(value).is_absolute())
