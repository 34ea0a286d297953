// Resolves names for outgoing connections: an address that the rule refuses is never connected to.
import { lookup } from 'node:dns'
import { OutboundError } from '../ports/outbound.ts'

/** Returns why an address must not be contacted; null if it may be. @param name as in the call */
export type AddressRule = (address: string, name: string) => string | null

export type Lookup = typeof lookup

/** A lookup that returns only allowed addresses. A refused one fails it with an OutboundError. */
export function guardedLookup(rule: AddressRule, resolve: Lookup = lookup): Lookup {
  return ((name: string, options: object, done: (error: Error | null, ...found: unknown[]) => void) => {
    resolve(name, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error)
      for (const { address } of addresses) {
        const refused = rule(address, name)
        if (refused !== null) return done(new OutboundError('address', refused))
      }
      if ('all' in options && options.all === true) return done(null, addresses)
      return done(null, addresses[0]!.address, addresses[0]!.family)
    })
  }) as Lookup
}
