import type { RavelError } from '../base/errors.ts';
import { beginning } from '../base/text.ts';
import { failure } from '../model/codes.ts';
import type { Api } from '../model/protocol.ts';
import { isSessionRequest } from '../model/requestKinds.ts';

/** The same Api as its sessions have it: with the requests that their tools make, each with its token, and no others. */
export function sessionApi(api: Api): Api {
  return {
    async request(name, params, signal) {
      if (!isSessionRequest(name)) throw sessionsOnly(name);
      return api.request(name, params, signal);
    },
    onEvent() {
      throw sessionsOnly('attach');
    },
  };
}

/** The refusal of anything else. */
export function sessionsOnly(request: string): RavelError {
  const name = beginning(request, 100);
  return failure('server/sessionsOnly', name, `This socket takes only the calls of session tools, not "${name}".`);
}
