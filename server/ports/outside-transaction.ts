// The capability to call a target outside. Only the wiring mints it, for the outbox worker and for standalone operations.
import { isInsideTransaction } from './transaction-scope.ts'

let mint: () => OutsideTransaction

/** Cannot be created or imitated outside this file. */
export class OutsideTransaction {
  readonly #isGenuine = true

  private constructor() {}

  static {
    mint = () => new OutsideTransaction()
  }

  static isGenuine(value: unknown): value is OutsideTransaction {
    return typeof value === 'object' && value !== null && #isGenuine in value && value.#isGenuine
  }
}

/** @throws Error inside a transaction */
export function mintOutsideTransaction(): OutsideTransaction {
  if (isInsideTransaction())
    throw new Error('Code inside a transaction asked for the capability to call out.')
  return mint()
}
