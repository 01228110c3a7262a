import type { Readable, Writable } from 'node:stream';
import { failure } from '../model/codes.ts';
import type { CallResult, ToolDescription } from '../model/requests/sessions.ts';

/** How a client asks for a call. */
export interface AskedCall {
  readonly signal: AbortSignal;
  /** What it says besides, under names of its own. */
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface ToolServerOptions {
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
  list(): Promise<readonly ToolDescription[]>;
  /** A refusal is something that the model can act on, so it is a result and no rejection. */
  call(tool: string, args: Record<string, unknown>, asked: AskedCall): Promise<CallResult>;
  /** Told the name by which the client calls itself. */
  onClient?(name: string): void;
}

/** Serves tools over MCP, until the input ends. */
export async function serveTools({ version, input, output, list, call, onClient }: ToolServerOptions): Promise<void> {
  const [{ Server }, { StdioServerTransport }, { CallToolRequestSchema, ListToolsRequestSchema }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const server = new Server(
    { name: 'ravel', version },
    { capabilities: { tools: {} }, jsonSchemaValidator: noElicitation },
  );
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: (await list()).map(toMcpTool) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const result = await call(params.name, params.arguments ?? {}, { signal, meta: params._meta ?? {} });
    return { content: [{ type: 'text' as const, text: result.text }], isError: result.isError };
  });
  server.oninitialized = () => onClient?.(server.getClientVersion()?.name ?? '');
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

/** We never ask the harness's user anything; giving a validator spares the start-up cost of the built-in one. */
const noElicitation = {
  getValidator(): never {
    throw failure('base/internal', 'mcp', 'The session tools ask no questions of their own.');
  },
};
