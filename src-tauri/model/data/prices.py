"""Writes prices.json: what models cost and can do, one line a model.

    python3 -m venv v && v/bin/pip install litellm && v/bin/python prices.py > prices.json

The source is the price list that LiteLLM publishes with its package (MIT), which its users keep by the makers' own
pages. The date is the day the list was taken. The person's own price, and what a maker's list of models says, go
before it.
"""

import datetime
import importlib.metadata
import importlib.resources
import json

MAKERS = {
    "openai": "openai",
    "anthropic": "anthropic",
    "gemini": "google",
    "xai": "xai",
    "deepseek": "deepseek",
    "mistral": "mistral",
    "groq": "groq",
    "moonshot": "moonshot",
    "zai": "zhipu",
    "dashscope": "dashscope",
}
KINDS = ("tts", "audio", "search", "deep-research", "embedding", "live", "image-generation", "ft:")

source = importlib.resources.files("litellm") / "model_prices_and_context_window_backup.json"
models = []
for name, facts in json.loads(source.read_text()).items():
    maker = MAKERS.get(facts.get("litellm_provider"))
    if maker is None or facts.get("mode") not in ("chat", "responses"):
        continue
    model = name.split("/", 1)[1] if "/" in name else name
    if any(kind in name for kind in KINDS) or not facts.get("output_cost_per_token"):
        continue
    if not (facts.get("supports_vision") or facts.get("supports_function_calling")):
        continue
    million = lambda field: facts.get(field) and round(facts[field] * 1e6, 6)
    entry = {
        "maker": maker,
        "model": model,
        "input": million("input_cost_per_token"),
        "cached": million("cache_read_input_token_cost"),
        "kept": million("cache_creation_input_token_cost") or None,
        "output": million("output_cost_per_token"),
        "context": facts.get("max_input_tokens"),
        "picture": bool(facts.get("supports_vision")),
        "tool": bool(facts.get("supports_function_calling")),
        "responses": facts.get("mode") == "responses" or None,
    }
    models.append({key: value for key, value in entry.items() if value is not None})
models = {(m["maker"], m["model"]): m for m in models}
lines = ",\n".join(json.dumps(models[key]) for key in sorted(models))
version = importlib.metadata.version("litellm")
today = datetime.date.today().isoformat()
print(f'{{"asOf": "{today}", "source": "the price list of LiteLLM {version} (MIT)", "models": [\n{lines}\n]}}')
