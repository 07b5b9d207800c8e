"""Holds requests and streams to the types of the makers' own clients.

    python validate.py FILE.json

FILE holds {"requests": [{"name", "shape", "body"}], "streams": [{"name", "shape", "events"}]}. Prints one line of JSON:
{"checked": N, "errors": ["name: path: what is wrong"], "clients": {package: version}}.

Requests are held to the TypedDicts of `openai` and `anthropic`, strictly: a field the type does not have is an error, as is
one of another type, or one that is required and missing. For Google's they are read by the models of `google-genai`, which
refuse what they do not know.
"""

import collections.abc
import importlib.metadata
import json
import os
import sys
import types as builtin
import typing

import pydantic
import typing_extensions
from anthropic.types import RawMessageStreamEvent, message_create_params
from google.genai import types as google
from openai.types.chat import ChatCompletionChunk, completion_create_params
from openai.types.responses import ResponseStreamEvent, response_create_params

SEQUENCES = (list, collections.abc.Iterable, collections.abc.Sequence, typing.Iterable, typing.List)


def errors(value, kind, path="$"):
    """What is wrong with a value of a type, as text; empty when nothing is."""
    origin = typing_extensions.get_origin(kind)
    arguments = typing_extensions.get_args(kind)
    if origin in (typing_extensions.Annotated, typing_extensions.Required, typing_extensions.NotRequired):
        return errors(value, arguments[0], path)
    if isinstance(kind, typing_extensions.TypeAliasType):
        return errors(value, kind.__value__, path)
    if kind in (typing.Any, object):
        return []
    if kind is None or kind is type(None):
        return [] if value is None else [f"{path}: not null"]
    if origin in (typing.Union, getattr(builtin, "UnionType", None)):
        tried = [errors(value, one, path) for one in arguments]
        return [] if [] in tried else min(tried, key=lambda found: (len(found), -len(str(found))))
    if origin in (typing.Literal, typing_extensions.Literal):
        return [] if value in arguments else [f"{path}: {value!r} is none of {arguments}"]
    if typing_extensions.is_typeddict(kind):
        if not isinstance(value, dict):
            return [f"{path}: not an object"]
        fields = typing_extensions.get_type_hints(kind, include_extras=False)
        found = [f"{path}.{name}: required" for name in kind.__required_keys__ if name not in value]
        for name, inner in value.items():
            if name not in fields:
                found.append(f"{path}.{name}: no such field of {kind.__name__}")
            else:
                found += errors(inner, fields[name], f"{path}.{name}")
        return found
    if origin in SEQUENCES or kind in SEQUENCES:
        if not isinstance(value, list):
            return [f"{path}: not a list"]
        inner = arguments[0] if arguments else typing.Any
        return [e for n, item in enumerate(value) for e in errors(item, inner, f"{path}[{n}]")]
    if origin in (dict, collections.abc.Mapping) or kind is dict:
        if not isinstance(value, dict):
            return [f"{path}: not an object"]
        inner = arguments[1] if arguments else typing.Any
        return [e for name, item in value.items() for e in errors(item, inner, f"{path}.{name}")]
    if kind is float:
        return [] if isinstance(value, (int, float)) and not isinstance(value, bool) else [f"{path}: no number"]
    if kind is int:
        return [] if isinstance(value, int) and not isinstance(value, bool) else [f"{path}: no whole number"]
    if isinstance(kind, type) and issubclass(kind, pydantic.BaseModel):
        try:
            kind.model_validate(value)
            return []
        except pydantic.ValidationError as error:
            return [f"{path}: {error}"]
    if isinstance(kind, type) and origin is None:
        return [] if isinstance(value, kind) else [f"{path}: no {kind.__name__}"]
    if origin in (typing.IO, os.PathLike):
        return [f"{path}: a file, which JSON has not"]
    raise TypeError(f"a kind of type this does not know: {kind!r}")


def google_errors(body):
    parts = {
        "contents": list[google.Content],
        "systemInstruction": google.Content,
        "tools": list[google.Tool],
        "toolConfig": google.ToolConfig,
        "generationConfig": google.GenerationConfig,
    }
    found = [f"$.{name}: no such field" for name in body if name not in parts]
    if "contents" not in body:
        found.append("$.contents: required")
    for name, kind in parts.items():
        if name in body:
            try:
                pydantic.TypeAdapter(kind).validate_python(body[name])
            except pydantic.ValidationError as error:
                found.append(f"$.{name}: {error}")
    return found


def request_errors(shape, body):
    if shape == "generate_content":
        return google_errors(body)
    kinds = {
        "chat": completion_create_params.CompletionCreateParamsStreaming,
        "responses": response_create_params.ResponseCreateParamsStreaming,
        "messages": message_create_params.MessageCreateParamsStreaming,
    }
    return errors(body, kinds[shape])


def stream_errors(shape, events):
    kinds = {
        "chat": ChatCompletionChunk,
        "responses": ResponseStreamEvent,
        "messages": RawMessageStreamEvent,
        "generate_content": google.GenerateContentResponse,
    }
    adapter = pydantic.TypeAdapter(kinds[shape])
    found = []
    for number, event in enumerate(events):
        # The client of Anthropic drops these before its types.
        if event.get("type") == "ping":
            continue
        try:
            adapter.validate_python(event)
        except pydantic.ValidationError as error:
            found.append(f"event {number}: {error}")
    return found


def main():
    given = json.load(open(sys.argv[1], encoding="utf-8"))
    found, checked = [], 0
    for request in given["requests"]:
        checked += 1
        found += [f"{request['name']}: {e}" for e in request_errors(request["shape"], request["body"])]
    for stream in given["streams"]:
        checked += 1
        found += [f"{stream['name']}: {e}" for e in stream_errors(stream["shape"], stream["events"])]
    clients = {name: importlib.metadata.version(name) for name in ("openai", "anthropic", "google-genai")}
    print(json.dumps({"checked": checked, "errors": found, "clients": clients}))


main()
