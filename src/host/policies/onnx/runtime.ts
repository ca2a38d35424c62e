// The onnxruntime-node package, which is not installed with this one: it is large, and only the policy `onnx` needs it.
import { readFileSync } from 'node:fs';
import { inputFault } from '../../input/jsonFault.ts';

/** The part of the package's interface that is used here. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(model: Uint8Array): Promise<OnnxSession>;
  };
  readonly Tensor: new (type: TensorType, data: TensorData, dims: readonly number[]) => unknown;
}

export type TensorType = 'float32' | 'uint8';
export type TensorData = Float32Array | Uint8Array;

export interface OnnxSession {
  readonly inputMetadata: readonly ValueMetadata[];
  readonly outputMetadata: readonly ValueMetadata[];
  run(
    feeds: Readonly<Record<string, unknown>>,
  ): Promise<Record<string, { readonly data: unknown; readonly dims: readonly number[] }>>;
  release(): Promise<void>;
}

/** Of an input or output; an axis that may have any length is a text or below 1. */
export interface ValueMetadata {
  readonly name: string;
  readonly isTensor: boolean;
  readonly type?: string;
  readonly shape?: readonly (number | string)[];
}

export const runtimePackage = 'onnxruntime-node';

function peerVersion(): string {
  // Up from src/host/policies/onnx and from dist/host/policies/onnx alike.
  const path = new URL('../../../../package.json', import.meta.url);
  const { peerDependencies } = JSON.parse(readFileSync(path, 'utf8')) as {
    peerDependencies: Record<string, string>;
  };
  return peerDependencies[runtimePackage]!;
}

/**
 * @param source what needs it, for the message
 * @throws UsageError when the package is not installed, or cannot be loaded.
 */
export async function loadOnnxRuntime(source: string, name = runtimePackage): Promise<OnnxRuntime> {
  try {
    const module = (await import(name)) as { default: OnnxRuntime };
    return module.default;
  } catch (error) {
    const [line] = (error as Error).message.split('\n');
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
    throw inputFault(
      source,
      isAbsent ? `no package ${name}` : `a package ${name} that does not load (${line})`,
      `with it installed: npm install --no-save --save-prod ${name}@${peerVersion()}`,
    );
  }
}
