import { isRavelError, RavelError } from './base/errors.ts';
import { failure } from './model/codes.ts';
import { describeIssue, foundAt } from './model/issueText.ts';
import { type Api, type RequestName, type RequestResults, requestSchemas, toRequestName } from './model/protocol.ts';
import { actorHandlers } from './requests/actors.ts';
import { approvalHandlers } from './requests/approvals.ts';
import { archiveHandlers } from './requests/archives.ts';
import { doctorHandlers } from './requests/doctor.ts';
import { documentHandlers } from './requests/documents.ts';
import { expertHandlers } from './requests/experts.ts';
import { goalHandlers } from './requests/goals.ts';
import type { Handler, ParsedParams, RequestContext } from './requests/handlers.ts';
import { importHandlers } from './requests/imports.ts';
import { ingestionHandlers } from './requests/ingestion.ts';
import { inspectHandlers } from './requests/inspect.ts';
import { knowledgeHandlers } from './requests/knowledge.ts';
import { manualRunHandlers } from './requests/manualRuns.ts';
import { messageHandlers } from './requests/messages.ts';
import { nextHandlers } from './requests/next.ts';
import { noticeHandlers } from './requests/notices.ts';
import { planHandlers } from './requests/plans.ts';
import { policyHandlers } from './requests/policy.ts';
import { receiptHandlers } from './requests/receipts.ts';
import { routingHandlers } from './requests/routes.ts';
import { ruleHandlers } from './requests/rules.ts';
import { runHandlers } from './requests/runs.ts';
import { searchHandlers } from './requests/search.ts';
import { sessionHandlers } from './requests/sessions.ts';
import { untilSettled } from './requests/settled.ts';
import { sinceHandlers } from './requests/since.ts';
import { snapshotHandlers } from './requests/snapshots.ts';
import { spendingHandlers } from './requests/spending.ts';
import { terminalHandlers } from './requests/terminals.ts';
import { vaultHandlers } from './requests/vault.ts';
import { causalityHandlers } from './requests/why.ts';

/** The one table behind every face: a request without a row does not compile. */
const requests: { readonly [Name in RequestName]: Handler<Name> } = {
  ...vaultHandlers,
  ...spendingHandlers,
  ...noticeHandlers,
  ...planHandlers,
  ...nextHandlers,
  ...sinceHandlers,
  ...actorHandlers,
  ...messageHandlers,
  ...archiveHandlers,
  ...snapshotHandlers,
  ...doctorHandlers,
  ...documentHandlers,
  ...expertHandlers,
  ...ingestionHandlers,
  ...receiptHandlers,
  ...importHandlers,
  ...goalHandlers,
  ...routingHandlers,
  ...ruleHandlers,
  ...runHandlers,
  ...approvalHandlers,
  ...manualRunHandlers,
  ...inspectHandlers,
  ...knowledgeHandlers,
  ...causalityHandlers,
  ...policyHandlers,
  ...searchHandlers,
  ...sessionHandlers,
  ...terminalHandlers,
};

/** The Api in the owner's own process. Parameters are checked here, whichever face they come through. */
export function createApi(context: RequestContext): Api {
  return {
    async request(name, params, signal = new AbortController().signal) {
      try {
        return await dispatch(context, name, params, signal);
      } catch (error) {
        throw withoutSecrets(error, context);
      }
    },
    onEvent: context.events.event,
  };
}

/** A program or a file that an error quotes may have named a value. */
function withoutSecrets(error: unknown, { services }: Pick<RequestContext, 'services'>): unknown {
  if (!isRavelError(error)) {
    if (error instanceof Error) error.message = services.withoutSecrets(error.message);
    return error;
  }
  const { code, severity } = error.diagnostic;
  const masked = services.withoutSecrets(error.diagnostic);
  return masked === error.diagnostic ? error : new RavelError({ ...masked, code, severity }, { cause: error.cause });
}

async function dispatch<Name extends RequestName>(
  context: RequestContext,
  name: Name,
  params: unknown,
  signal: AbortSignal,
): Promise<RequestResults[Name]> {
  const parsed = requestSchemas[toRequestName(name)].safeParse(params);
  if (parsed.success) {
    await untilSettled(context, name, parsed.data);
    signal.throwIfAborted();
    return requests[name](context, parsed.data as ParsedParams<Name>, signal);
  }
  const issues = parsed.error.issues.map(
    (issue) => `${issue.path.join('.') || 'params'}: ${describeIssue(issue, foundAt(params, issue.path))}`,
  );
  throw failure('server/badParams', name, `The parameters of "${name}" do not fit. ${issues.join('; ')}`);
}
