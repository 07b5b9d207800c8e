// The action schemas a model can be asked in, each by the names of the models that were trained on it.

import type { TrainedWords } from '../protocol';

/** In the order of the menu. */
export const TRAINED: Record<TrainedWords, string> = {
  hermes: 'Hermes (computer_use)',
  omnimcp: 'OmniMCP',
  mobile_use: 'Qwen-VL, GUI-Owl, MAI-UI (mobile_use)',
  autoglm: 'AutoGLM-Phone',
  cogagent: 'CogAgent',
  ui_tars: 'UI-TARS',
  ui_venus: 'UI-Venus 1.5',
  ui_venus_2: 'UI-Venus 2',
  step_gui: 'Step-GUI, GELab-Zero',
  verbs: 'PhoneBuddy',
};

export const isTrained = (name: string): name is TrainedWords => Object.hasOwn(TRAINED, name);
