// A URL leads to its component and back.
import { expect, it } from 'vitest'
import { addressOf, idOfAddress } from './address.ts'

it.each(['config_set/vat_rate', 'config_entry/vat_rate.de_2021', 'app/a b'])(
  '%s is the address of a component',
  (id) => {
    expect(idOfAddress(addressOf(id).path)).toBe(id)
  },
)

it.each(['/', '/changes', '/c/app', '/new/app', '/results/1', '/c/app/50%'])(
  '%s is not the address of a component',
  (path) => {
    expect(idOfAddress(path)).toBeNull()
  },
)
