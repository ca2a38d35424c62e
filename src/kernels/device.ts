// The one owner of gpu, adapter and device. Everything that touches the GPU gets its device from here, and the three
// live and die together: Dawn crashes when the object from `create()` is collected while its device lives.

/** A GPU error: a validation, out-of-memory or internal error, or a lost device. The message names the operation. */
export class GpuError extends Error {
  override readonly name = 'GpuError';
}

/** Asked for at the adapter's own maximum. */
const raisedLimits = [
  'maxStorageBufferBindingSize',
  'maxBufferSize',
  'maxUniformBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupSizeY',
  'maxComputeWorkgroupSizeZ',
  'maxComputeWorkgroupsPerDimension',
  'maxTextureDimension2D',
  'maxTextureArrayLayers',
] as const satisfies readonly (keyof GPUSupportedLimits)[];

/** Taken where the adapter has them; ask `device.features` before using one. */
const optionalFeatures = ['timestamp-query', 'subgroups'] as const;

/** Is an adapter a driver that runs on the CPU? */
export function runsOnCpu({ info }: GPUAdapter): boolean {
  const { architecture, description, vendor } = info;
  return /swiftshader|llvmpipe|software/i.test(`${vendor} ${architecture} ${description}`);
}

export interface GpuContextOptions {
  /** An adapter already requested from this gpu. An adapter gives one device only, so it must be fresh. */
  adapter?: GPUAdapter;
  powerPreference?: GPUPowerPreference;
  label?: string;
  /** Called with every tracked promise: a chance to spare the CPU while the GPU works. */
  whileWaiting?: (promise: Promise<unknown>) => void;
}

/** Contexts not closed yet. Keeps each gpu reachable while its device may be in use. */
const openContexts = new Set<GpuContext>();

/**
 * Owns gpu, adapter and device.
 *
 * @example
 * const context = await GpuContext.open(navigator.gpu);
 * await context.withErrorScope('clear counters', () => encodeAndSubmit(context.device));
 * await context.close();
 */
export class GpuContext {
  readonly gpu: GPU;
  readonly adapter: GPUAdapter;
  readonly device: GPUDevice;
  readonly #pending = new Set<Promise<unknown>>();
  readonly #whileWaiting: ((promise: Promise<unknown>) => void) | undefined;
  #failure: GpuError | undefined;
  #closing: Promise<void> | undefined;

  private constructor(gpu: GPU, adapter: GPUAdapter, device: GPUDevice, options: GpuContextOptions) {
    this.#whileWaiting = options.whileWaiting;
    this.gpu = gpu;
    this.adapter = adapter;
    this.device = device;
    device.addEventListener('uncapturederror', (event) => {
      this.#failure ??= new GpuError(`GPU error outside any error scope: ${event.error.message}`);
    });
    void device.lost.then((lost) => {
      if (this.#closing) return;
      this.#failure ??= new GpuError(`the GPU device was lost (${lost.reason}): ${lost.message}`);
    });
    openContexts.add(this);
  }

  /**
   * Requests an adapter (unless one is given) and its device with the adapter's own maxima for the limits that matter
   * here, and with the optional features that are there.
   *
   * @throws GpuError when there is no adapter or it gives no device.
   */
  static async open(gpu: GPU, options: GpuContextOptions = {}): Promise<GpuContext> {
    const powerPreference = options.powerPreference ?? 'high-performance';
    const adapter = options.adapter ?? (await gpu.requestAdapter({ powerPreference }));
    if (!adapter) throw new GpuError('no GPU adapter was found');
    const requiredLimits: Record<string, number> = {};
    for (const limit of raisedLimits) requiredLimits[limit] = adapter.limits[limit];
    let device: GPUDevice;
    try {
      device = await adapter.requestDevice({
        label: options.label ?? 'rtsafe device',
        requiredFeatures: optionalFeatures.filter((feature) => adapter.features.has(feature)),
        requiredLimits,
      });
    } catch (error) {
      throw new GpuError(`the GPU adapter gave no device: ${messageOf(error)}`, { cause: error });
    }
    return new GpuContext(gpu, adapter, device, options);
  }

  /** The first error that no scope caught, or the loss of the device. Undefined while all is well. */
  get failure(): GpuError | undefined {
    return this.#failure;
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /**
   * Runs `work` and throws a GpuError with the label if any GPU command it issues fails. Covers what `work` calls
   * before its first await: scopes are a stack per device, so holding one over an await would catch others' errors.
   *
   * @throws GpuError also for an error that happened earlier outside any scope, and for a lost or closed device.
   */
  async withErrorScope<T>(label: string, work: () => T | Promise<T>): Promise<T> {
    if (this.isClosed) throw new GpuError(`${label}: the GPU context is closed`);
    this.#throwIfFailed(label);
    const filters: GPUErrorFilter[] = ['internal', 'out-of-memory', 'validation'];
    for (const filter of filters) this.device.pushErrorScope(filter);
    let result: T | Promise<T>;
    let popped: Promise<GPUError | null>[];
    try {
      result = work();
    } finally {
      popped = filters.map(() => this.track(this.device.popErrorScope()));
    }
    const [scopes, value] = await Promise.allSettled([Promise.all(popped), result]);
    if (scopes.status === 'fulfilled') {
      const error = scopes.value.find((found) => found !== null);
      if (error) throw new GpuError(`${label}: ${error.message.trim()}`);
    }
    this.#throwIfFailed(label);
    if (scopes.status === 'rejected') throw new GpuError(`${label}: ${messageOf(scopes.reason)}`);
    if (value.status === 'rejected') throw value.reason;
    return value.value;
  }

  /**
   * Registers a GPU promise (a map above all) that `close` must see settled before it destroys the device.
   *
   * @example await context.track(readback.mapAsync(GPUMapMode.READ));
   */
  track<T>(promise: Promise<T>): Promise<T> {
    this.#pending.add(promise);
    this.#whileWaiting?.(promise);
    const forget = () => this.#pending.delete(promise);
    promise.then(forget, forget);
    return promise;
  }

  /**
   * Waits for submitted work and tracked promises, then destroys the device. Submit nothing afterwards. A second call
   * returns the first one's promise.
   */
  close(): Promise<void> {
    this.#closing ??= this.#destroy();
    return this.#closing;
  }

  async #destroy(): Promise<void> {
    try {
      if (!this.#failure) await this.device.queue.onSubmittedWorkDone();
    } finally {
      while (this.#pending.size > 0) await Promise.allSettled(this.#pending);
      this.device.destroy();
      await this.device.lost;
      openContexts.delete(this);
    }
  }

  #throwIfFailed(label: string): void {
    if (this.#failure) throw new GpuError(`${label}: ${this.#failure.message}`, { cause: this.#failure });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
