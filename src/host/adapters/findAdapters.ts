// Asks Dawn for adapters. Dawn for Node has no call that lists them: one instance offers the first adapter whose name
// holds the text of its `adapter=` option, and an instance that finds none says in its error which there are.
import { type AdapterDescription, type AdapterKind, describeAdapter } from './adapterReport.ts';
import type { LoadedWebgpu } from './loadWebgpu.ts';

/** An adapter with no device yet, and the Dawn instance that must outlive it. */
export interface FoundAdapter extends AdapterDescription {
  gpu: GPU;
  adapter: GPUAdapter;
}

const request: GPURequestAdapterOptions = { powerPreference: 'high-performance' };
const nameOfNoAdapter = 'list every adapter';

/** Dawn's first choice without lavapipe: a discrete GPU, then an integrated one, then other software. */
export function findFirstAdapter(webgpu: LoadedWebgpu): Promise<FoundAdapter | undefined> {
  return requestHidingLavapipe(webgpu, []);
}

export function findLavapipe(webgpu: LoadedWebgpu): Promise<FoundAdapter | undefined> {
  return requestFrom(webgpu, ['adapter=llvmpipe']);
}

export function findSwiftShader(webgpu: LoadedWebgpu): Promise<FoundAdapter | undefined> {
  return requestHidingLavapipe(webgpu, ['adapter=SwiftShader']);
}

/** Every adapter, in the order of `auto`: hardware, lavapipe, SwiftShader, other software. */
export async function listAdapters(webgpu: LoadedWebgpu): Promise<FoundAdapter[]> {
  const found: FoundAdapter[] = [];
  for (const { backend, name } of await listNames(webgpu)) {
    const adapter = await requestHidingLavapipe(webgpu, [`backend=${backend}`, `adapter=${name}`]);
    if (adapter) found.push(adapter);
  }
  const lavapipe = await findLavapipe(webgpu);
  if (lavapipe) found.push(lavapipe);
  const order: AdapterKind[] = ['hardware', 'lavapipe', 'swiftshader', 'other'];
  return order.flatMap((kind) => found.filter((adapter) => adapter.kind === kind));
}

async function requestFrom(webgpu: LoadedWebgpu, options: string[]): Promise<FoundAdapter | undefined> {
  const gpu = webgpu.create(options);
  let adapter: GPUAdapter | null;
  try {
    adapter = await gpu.requestAdapter(request);
  } catch (error) {
    if (isNoAdapterError(error)) return undefined;
    throw error;
  }
  return adapter ? { gpu, adapter, ...describeAdapter(adapter.info) } : undefined;
}

async function listNames(webgpu: LoadedWebgpu): Promise<{ backend: string; name: string }[]> {
  try {
    await hidingLavapipe(() => webgpu.create([`adapter=${nameOfNoAdapter}`]).requestAdapter(request));
    return [];
  } catch (error) {
    if (isNoAdapterError(error)) return parseAdapterList(messageOf(error));
    throw error;
  }
}

function requestHidingLavapipe(webgpu: LoadedWebgpu, options: string[]): Promise<FoundAdapter | undefined> {
  return hidingLavapipe(() => requestFrom(webgpu, options));
}

/**
 * Lavapipe takes longest to load, and Dawn prints two warnings on stderr each time an instance meets it, so instances
 * that look for something else do not see it. Dawn reads the drivers before `call` returns its promise, so the
 * variable is back as it was before anything else runs.
 */
function hidingLavapipe<T>(call: () => Promise<T>): Promise<T> {
  const variable = 'VK_LOADER_DRIVERS_DISABLE';
  const before = process.env[variable];
  process.env[variable] = before ? `${before},*lvp*` : '*lvp*';
  try {
    return call();
  } finally {
    if (before === undefined) delete process.env[variable];
    else process.env[variable] = before;
  }
}

function isNoAdapterError(error: unknown): boolean {
  return messageOf(error).includes('Available adapters:');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Reads the adapters out of Dawn's error, one a line: ` * backend: 'vulkan', name: 'SwiftShader Device (Subzero)'`.
 * Adapters of one name (several equal cards) are listed once, since only the first can be asked for.
 */
export function parseAdapterList(message: string): { backend: string; name: string }[] {
  const lines = message.matchAll(/^\s*\*\s*backend: '([^']*)', name: '(.*)'\s*$/gm);
  const unique = new Map(
    [...lines].map(([, backend = '', name = '']) => [`${backend}/${name}`, { backend, name }]),
  );
  return [...unique.values()].filter(({ backend }) => backend !== 'null');
}
