// What is said about an adapter: in `rtsafe doctor`, in a run's config.json, and in error lines.

/** `hardware` is a real GPU; `other` is a software adapter that is neither of the two known ones. */
export type AdapterKind = 'hardware' | 'lavapipe' | 'swiftshader' | 'other';

export interface AdapterDescription {
  kind: AdapterKind;
  /** The device, as Dawn names it: `llvmpipe-llvm-15-0-6-256-bits`. */
  name: string;
  vendor: string;
  architecture: string;
  /** Name and driver in one line; `--adapter NAME` matches any part of it. */
  description: string;
  driver: string;
}

export interface AdapterReport extends AdapterDescription {
  /** Why this adapter was chosen, in a sentence. */
  why: string;
}

export function describeAdapter(info: GPUAdapterInfo): AdapterDescription {
  const name = info.device.replace(/-+$/, '');
  return {
    kind: kindOf(info),
    name,
    vendor: info.vendor,
    architecture: info.architecture,
    description: `${name} (${info.description})`,
    driver: info.description,
  };
}

function kindOf(info: GPUAdapterInfo): AdapterKind {
  const text = `${info.device} ${info.description} ${info.architecture}`.toLowerCase();
  if (text.includes('llvmpipe') || text.includes('lavapipe')) return 'lavapipe';
  if (text.includes('swiftshader')) return 'swiftshader';
  return info.isFallbackAdapter ? 'other' : 'hardware';
}
