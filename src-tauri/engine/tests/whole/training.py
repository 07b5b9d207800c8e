"""Holds every line of a training file to JSON Schemas made from OmniMCP's and OpenPocket's own models.

pydantic writes the schemas (OmniMCP's `LLMResponse`, OpenPocket's `ModelStepOutput`), jsonschema checks the lines.
Prints a list of complaints for each line.
"""

import json
import sys
from typing import Annotated, Any, Dict, Literal, Optional, Tuple, Union

from jsonschema import Draft202012Validator
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

Bounds = Tuple[float, float, float, float]


# OmniMCP's action schema, as its page has it.
class ActionTarget(BaseModel):
    track_id: Optional[str] = Field(None, description="Persistent tracking ID (preferred)")
    element_id: Optional[int] = Field(None, description="Per-frame UIElement ID")
    text: Optional[str] = Field(None, description="Text content match")
    bbox: Optional[Bounds] = Field(None, description="Normalized [x, y, w, h] box")


class AgentAction(BaseModel):
    action_type: Literal["click", "type", "scroll", "press_key", "wait", "finish_goal", "hover"]
    target: Optional[ActionTarget] = None
    parameters: Dict[str, Any] = Field(default_factory=dict)


class LLMResponse(BaseModel):
    reasoning: str
    action: AgentAction
    is_goal_complete: bool = False


# OpenPocket's tagged union, as its page has it: no field beside those it lists.
class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Tap(Closed):
    type: Literal["tap"]
    x: float
    y: float
    reason: Optional[str] = None


class Swipe(Closed):
    type: Literal["swipe"]
    x1: float
    y1: float
    x2: float
    y2: float
    durationMs: Optional[float] = None
    reason: Optional[str] = None


class Type(Closed):
    type: Literal["type"]
    text: str
    reason: Optional[str] = None


class Keyevent(Closed):
    type: Literal["keyevent"]
    keycode: str
    reason: Optional[str] = None


class LaunchApp(Closed):
    type: Literal["launch_app"]
    packageName: str
    reason: Optional[str] = None


class Shell(Closed):
    type: Literal["shell"]
    command: str
    reason: Optional[str] = None


class RunScript(Closed):
    type: Literal["run_script"]
    script: str
    timeoutSec: Optional[float] = None
    reason: Optional[str] = None


class RequestHumanAuth(Closed):
    type: Literal["request_human_auth"]
    capability: Literal[
        "camera", "sms", "2fa", "location", "biometric", "notification", "contacts",
        "calendar", "files", "oauth", "payment", "permission", "unknown",
    ]
    instruction: str
    timeoutSec: Optional[float] = None
    reason: Optional[str] = None


class Wait(Closed):
    type: Literal["wait"]
    durationMs: Optional[float] = None
    reason: Optional[str] = None


class Finish(Closed):
    type: Literal["finish"]
    message: str


class ModelStepOutput(Closed):
    thought: str
    action: Annotated[
        Union[Tap, Swipe, Type, Keyevent, LaunchApp, Shell, RunScript, RequestHumanAuth, Wait, Finish],
        Field(discriminator="type"),
    ]
    raw: str


def main() -> None:
    forms = {
        name: Draft202012Validator(TypeAdapter(Optional[model]).json_schema())
        for name, model in (("llm_response", LLMResponse), ("model_step_output", ModelStepOutput))
    }
    for validator in forms.values():
        Draft202012Validator.check_schema(validator.schema)
    verdicts = []
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            step = json.loads(line)
            found = [
                f"{name}: {error.message}"
                for name, validator in forms.items()
                for error in validator.iter_errors(step[name])
            ]
            missing = [name for name in ("screen", "elements", "raw", "action", "outcome") if name not in step]
            verdicts.append(found + missing)
    json.dump(verdicts, sys.stdout)


main()
