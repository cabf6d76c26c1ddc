import { feature } from '#features/feature.ts';
import { chatEndpoints } from './http/endpoints.ts';
import { chatTools } from './http/tools.ts';
import { openManual } from './stores/open-manual.ts';
import { OWN_TOOLS } from './use-cases/tools/kinds/toolbox.ts';

export const questions = feature({
  id: 'questions',
  uses: ['ai', 'services'],
  endpoints: chatEndpoints,
  contributes: { tools: chatTools, questionTools: OWN_TOOLS },
  async provide({ contributed }) {
    return { ports: { questionTools: contributed('questionTools').flat(), manual: openManual() } };
  },
});
