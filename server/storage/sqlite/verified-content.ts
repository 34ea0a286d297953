// Serves contents only if they have the digest that names them, and are the requested component.
import { hash } from 'node:crypto'
import type { Component } from '#kernel/components/body-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

/** @throws AlmanacError storage.damaged naming the component */
export function verifyComponent(id: string, digest: string, json: string): Component {
  requireDigest(id, digest, json)
  const component = JSON.parse(json) as Component
  if (`${component.type}/${component.key}` !== id) throw damagedComponentError(id)
  return component
}

/** @throws AlmanacError storage.damaged naming the component */
export function requireDigest(id: string, digest: string, json: string): void {
  if (`jcs1:sha256:${hash('sha256', json, 'hex')}` !== digest) throw damagedComponentError(id)
}

export function damagedComponentError(id: string): AlmanacError {
  return new AlmanacError(
    'storage.damaged',
    `${id} was changed in the database by something other than Almanac, so it is not served. Run "almanac check" for details and restore the folder from a backup.`,
    { details: [{ id }] },
  )
}
