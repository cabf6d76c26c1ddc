/** Header `X-AI-Mode`: `rules` never asks a model, `model` wants one, `auto` takes the rules when a model fails. */
export const AI_MODES = ['auto', 'rules', 'model'] as const;
