// Reads the slots of a credential. Errors name the slot, and never contain its value.
import { explainHeaderText } from '#kernel/components/external-credential/header-text.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Secrets } from './outgoing-request.ts'

export interface SlotValues {
  /** @throws AlmanacError if the slot has no value */
  required(slot: string): string
  optional(slot: string): string | undefined
  /** Text for a header. @throws AlmanacError if it cannot be sent */
  forHeader(slot: string): string
  /** @param reason continues a sentence that begins with the slot: `contains a line break` */
  invalid(slot: string, reason: string): UnusableSecret
}

/** The value of a slot cannot be used. */
export class UnusableSecret extends AlmanacError {
  readonly slot: string
  readonly reason: string

  constructor(credential: string, slot: string, reason: string) {
    super(
      'integration.secret_invalid',
      `The slot ${slot} of the credential ${credential} ${reason}. Write the secret again.`,
    )
    this.slot = slot
    this.reason = reason
  }
}

export function slotValues(credential: string, secrets: Secrets): SlotValues {
  const optional = (slot: string) => (Object.hasOwn(secrets, slot) ? secrets[slot] : undefined)
  const required = (slot: string): string => {
    const value = optional(slot)
    if (value !== undefined) return value
    const detail = `The credential ${credential} has no value in the slot ${slot}. Write the secret.`
    throw new AlmanacError('integration.secret_absent', detail)
  }
  const invalid = (slot: string, reason: string) => new UnusableSecret(credential, slot, reason)
  return {
    required,
    optional,
    invalid,
    forHeader: (slot) => {
      const value = required(slot)
      const reason = explainSecretText(value)
      if (reason !== null) throw invalid(slot, reason)
      return value
    },
  }
}

function explainSecretText(value: string): string | null {
  if (value === '') return 'is empty'
  // Receivers strip it, so the secret would be a different one.
  return explainHeaderText(value) ?? (/^[\t ]|[\t ]$/.test(value) ? 'begins or ends with a space' : null)
}
