import { isLoopback, postJson } from '../../base/http.ts';
import { isRecord, parseJson } from '../../base/json.ts';

/** Settings of `search.embeddings`. */
export interface EmbeddingSettings {
  readonly url: string;
  readonly host: string;
  readonly model: string;
  /** Undefined for none. */
  readonly key: string | undefined;
}

/** What keeps vectors from being had, as part of a sentence. */
export class EmbeddingFault extends Error {}

/** Of one answer: 64 vectors of 4,096 numbers, as JSON. */
const answerBytesMax = 16 * 1024 * 1024;
const dimensionMax = 16_384;

/** A server that gives vectors for texts. */
export class EmbeddingServer {
  readonly #settings: EmbeddingSettings;

  constructor(settings: EmbeddingSettings) {
    this.#settings = settings;
  }

  /** One vector of length 1 for each text, all of one dimension. Rejects with `EmbeddingFault`, or the signal's reason. */
  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const { model, key } = this.#settings;
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const url = this.#address();
    let answer: Awaited<ReturnType<typeof postJson>>;
    try {
      answer = await postJson(url, { model, input: texts }, { headers, bytesMax: answerBytesMax, signal });
    } catch (error) {
      signal.throwIfAborted();
      throw new EmbeddingFault(`the server ${url.host} cannot be reached`, { cause: error });
    }
    if (answer.status !== 200) throw new EmbeddingFault(`the server ${url.host} answers with status ${answer.status}`);
    const vectors = vectorsIn(parseJson(answer.body.toString('utf8')), texts.length);
    if (vectors === undefined) throw new EmbeddingFault(`the server ${url.host} gives something else than vectors`);
    return vectors;
  }

  #address(): URL {
    const { url, host } = this.#settings;
    if (!URL.canParse(url)) throw new EmbeddingFault('search.embeddings.url is not an address');
    const address = new URL(`${url.replace(/\/$/, '')}/embeddings`);
    if (address.protocol !== 'http:' && address.protocol !== 'https:') {
      throw new EmbeddingFault('search.embeddings.url is not an address of HTTP');
    }
    if (isLoopback(address) || (host !== '' && address.hostname === host.toLowerCase())) return address;
    throw new EmbeddingFault(`search.embeddings.host does not name ${address.hostname}, so no text is sent there`);
  }
}

/** In the order of the texts; undefined for an answer of another form, or of different dimensions. */
function vectorsIn(answer: unknown, count: number): readonly Float32Array[] | undefined {
  const data = isRecord(answer) ? answer['data'] : undefined;
  if (!Array.isArray(data) || data.length !== count) return undefined;
  const vectors: Float32Array[] = [];
  for (const [at, row] of data.entries()) {
    if (!isRecord(row)) return undefined;
    const index = row['index'] ?? at;
    const vector = unitVector(row['embedding']);
    if (typeof index !== 'number' || vector === undefined) return undefined;
    vectors[index] = vector;
  }
  const [first] = vectors;
  const isWhole = Object.keys(vectors).length === count && vectors.length === count;
  return isWhole && vectors.every(({ length }) => length === first?.length) ? vectors : undefined;
}

function unitVector(numbers: unknown): Float32Array | undefined {
  if (!Array.isArray(numbers) || numbers.length === 0 || numbers.length > dimensionMax) return undefined;
  if (!numbers.every((number) => typeof number === 'number' && Number.isFinite(number))) return undefined;
  const vector = Float32Array.from(numbers);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length > 0 ? vector.map((value) => value / length) : vector;
}
