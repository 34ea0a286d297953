// One browser, two users: what one typed is never stored as the other's.
import { expect, it } from 'vitest'
import { whenBackupOwnerKnown, backupKey, setBackupOwner } from './local-backup.ts'

it('gives each user their own copy, even when they come back', async () => {
  const store = new Map<string, string>()
  const copy = 'app/shop'
  setBackupOwner('mara')
  await whenBackupOwnerKnown()
  store.set(backupKey(copy), 'of mara')
  setBackupOwner('mara')
  expect(store.get(backupKey(copy))).toBe('of mara')
  setBackupOwner('tom')
  expect(store.get(backupKey(copy))).toBeUndefined()
  store.set(backupKey(copy), 'of tom')
  setBackupOwner('mara')
  expect(store.get(backupKey(copy))).toBe('of mara')
  setBackupOwner('tom')
  expect(store.get(backupKey(copy))).toBe('of tom')
})

it('separates users whose keys and names could be confused', () => {
  setBackupOwner('a/b')
  const one = backupKey('c')
  setBackupOwner('a')
  expect(backupKey('b/c')).not.toBe(one)
})
