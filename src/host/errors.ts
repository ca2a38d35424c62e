// The errors a command may end with. Any other error is a defect in the program.

/**
 * Bad usage or bad input: one clear line that names the option, file or path, what was found and what is allowed.
 * The command exits with code 2.
 *
 * @example throw new UsageError('--ticks: found "-3", allowed is a whole number from 1');
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly exitCode = 2;
}

/** The run itself failed although the input was good. The command exits with code 1. */
export class RunError extends Error {
  override readonly name = 'RunError';
  readonly exitCode = 1;
}
