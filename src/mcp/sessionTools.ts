import type { Readable, Writable } from 'node:stream';
import { isRavelError, messageOf } from '../base/errors.ts';
import { failure } from '../model/codes.ts';
import type { RequestName, RequestParams, RequestResults } from '../model/protocol.ts';
import type { CallResult, ToolDescription } from '../model/requests/sessions.ts';

/** Who a session is, and its right to call tools. */
export interface SessionIdentity {
  readonly session: string;
  readonly token: string;
}

export interface SessionToolsOptions {
  readonly identity: SessionIdentity;
  /** Asks the owner, waiting for one as long as it takes. */
  readonly request: <Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
  ) => Promise<RequestResults[Name]>;
  /** A fresh id for each call: the owner carries a call out once, however often it is asked. */
  readonly newCallId: () => string;
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves the tools of one session to its harness, over MCP on standard input and output, until the input ends. */
export async function serveSessionTools(options: SessionToolsOptions): Promise<void> {
  const { identity, request, input, output } = options;
  const listed = request('session_tools', identity);
  // Whoever lists the tools hears of a failure.
  listed.catch(() => undefined);
  const [{ Server }, { StdioServerTransport }, { CallToolRequestSchema, ListToolsRequestSchema }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const server = new Server(
    { name: 'ravel', version: options.version },
    { capabilities: { tools: {} }, jsonSchemaValidator: noElicitation },
  );
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    const { tools } = await listed;
    return { tools: tools.map(toMcpTool) };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const call = { ...identity, call: options.newCallId(), tool: params.name, args: params.arguments ?? {} };
    const result = await request('session_call', call).catch(toCallResult);
    return { content: [{ type: 'text' as const, text: result.text }], isError: result.isError };
  });
  const ended = new Promise<void>((resolve) => {
    input.once('end', resolve);
    input.once('close', resolve);
    server.onclose = resolve;
  });
  await server.connect(new StdioServerTransport(input, output));
  await ended;
  await server.close();
}

function toMcpTool({ name, description, inputSchema }: ToolDescription) {
  return { name, description, inputSchema: { ...inputSchema, type: 'object' as const } };
}

/** A refusal is something that the model can act on, so it is an answer and no protocol error. */
function toCallResult(error: unknown): CallResult {
  if (!isRavelError(error)) return { text: messageOf(error), isError: true };
  const { message, help } = error.diagnostic;
  return { text: help === undefined ? message : `${message} ${help}`, isError: true };
}

/** We never ask the harness's user anything; giving a validator spares the start-up cost of the built-in one. */
const noElicitation = {
  getValidator(): never {
    throw failure('base/internal', 'mcp', 'The session tools ask no questions of their own.');
  },
};
