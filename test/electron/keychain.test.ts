// Secrets: encrypted by the keychain, refused without a keychain, stored in a file only if the user chose it.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FakeMachine } from './fake-electron.ts'
import { settled } from './fake-electron.ts'
import type { FakeKeychainState } from './fake-keychain.ts'
import { ourFrame, person, ready, sample, serves, started } from './machine.ts'

const keyFile = () => join(person.data, 'vault-key.json')
const secretsFile = () => join(person.data, 'remote-secrets.json')
const keyOf = (machine: FakeMachine) => machine.server.heard[0]!['vaultKey'] as string | null
const status = (machine: FakeMachine) => machine.invoke('keychain/status', undefined, ourFrame)
const choose = (machine: FakeMachine) => machine.invoke('keychain/choose-file', undefined, ourFrame)

const without: [string, FakeKeychainState][] = [
  ['none is running', { backend: 'unknown', mark: 'v10', available: false }],
  ['the session names none', { backend: 'basic_text', mark: 'v10' }],
  // The session is GNOME, but no Secret Service runs: Chromium encrypts with a password from its source code.
  ['the one that the session names is not running', { backend: 'gnome_libsecret', mark: 'v10' }],
]

let lastId = 0

/** The server requests a secret; returns the response. */
async function ask(machine: FakeMachine, kind: string, more: object = {}): Promise<unknown> {
  const id = ++lastId
  machine.server.emit('message', { kind, id, ...more })
  await settled()
  const { kind: how, answer, reason } = machine.server.heard.find((message) => message['id'] === id) ?? {}
  return how === 'custody/answer' ? answer : { refused: reason }
}

const put = (machine: FakeMachine, name: string, secret: string) =>
  ask(machine, 'custody/put', { name, secret })
const get = (machine: FakeMachine, name: string) => ask(machine, 'custody/get', { name })

describe('the key of stored credentials', () => {
  it('is the same from start to start, encrypted', async () => {
    const key = keyOf(await started())
    expect(Buffer.from(key!, 'base64')).toHaveLength(32)
    expect(readFileSync(keyFile(), 'utf8')).not.toContain(key)
    expect(keyOf(await started())).toBe(key)
  })

  it.each(without)('is not made if %s', async (_case, keychain) => {
    const machine = await started({ keychain })
    expect(keyOf(machine)).toBeNull()
    expect(existsSync(keyFile())).toBe(false)
  })

  it('is not replaced if the keychain does not open it, and the page shows what to do', async () => {
    await started()
    const fileText = readFileSync(keyFile(), 'utf8')
    const machine = await started()
    machine.keychain.key = 0x11
    machine.server.crashes()
    await machine.timer.pass(500)
    expect(machine.window.shown).toContain('Unlock it and try again')
    expect(readFileSync(keyFile(), 'utf8')).toBe(fileText)
  })

  it('is encrypted again if the keychain has a newer key', async () => {
    const machine = await ready()
    const [key, fileText] = [keyOf(machine), readFileSync(keyFile(), 'utf8')]
    machine.keychain.rotated = true
    machine.server.crashes()
    await machine.timer.pass(500)
    expect(keyOf(machine)).toBe(key)
    expect(readFileSync(keyFile(), 'utf8')).not.toBe(fileText)
  })
})

describe('the secret of a remote, with a keychain', () => {
  it('is stored encrypted, returned, and deleted', async () => {
    const machine = await ready()
    expect(await status(machine)).toEqual({ kept: 'keychain' })
    expect(await ask(machine, 'custody/status')).toEqual({ kept: true })
    expect(await get(machine, 'https://prod.example.org')).toEqual(null)
    expect(await put(machine, 'https://prod.example.org', 's3cret')).toEqual(null)
    expect(await put(machine, '__proto__', 'other')).toEqual(null)
    expect(readFileSync(secretsFile(), 'utf8')).not.toContain('s3cret')
    expect(statSync(secretsFile()).mode & 0o077).toBe(0)

    const again = await ready()
    expect(await get(again, 'https://prod.example.org')).toEqual('s3cret')
    expect(await get(again, '__proto__')).toEqual('other')
    expect(await ask(again, 'custody/delete', { name: 'https://prod.example.org' })).toBeNull()
    expect(await get(again, 'https://prod.example.org')).toEqual(null)
  })

  it('belongs to its org, because another org can have a remote with that name', async () => {
    const machine = await ready()
    await put(machine, 'remote/prod', 's3cret')
    machine.choosesFolder('/home/person/other')
    machine.choose('open-org')
    await settled()
    expect(await get(machine, 'remote/prod')).toBeNull()
    await put(machine, 'remote/prod', 'other')
    machine.choosesFolder(sample)
    machine.choose('open-org')
    await settled()
    expect(await get(machine, 'remote/prod')).toBe('s3cret')
  })

  it('loses none of several that are stored at the same time', async () => {
    const machine = await ready()
    for (let at = 0; at < 20; at++)
      machine.server.emit('message', { kind: 'custody/put', id: 900 + at, name: `r${at}`, secret: `s${at}` })
    await settled()
    await settled()
    await settled()
    for (let at = 0; at < 20; at++) expect(await get(machine, `r${at}`)).toEqual(`s${at}`)
  })

  it('stays deleted if it was stored a moment before', async () => {
    const machine = await ready()
    machine.server.emit('message', { kind: 'custody/put', id: 1, name: 'r', secret: 's' })
    machine.server.emit('message', { kind: 'custody/delete', id: 2, name: 'r' })
    await settled()
    expect(await get(machine, 'r')).toBeNull()
  })

  it('is not returned by another keychain, and stays stored', async () => {
    const machine = await ready()
    await put(machine, 'r', 's3cret')
    const fileText = readFileSync(secretsFile(), 'utf8')
    machine.keychain.key = 0x11
    expect(await get(machine, 'r')).toMatchObject({ refused: expect.stringContaining('Unlock') })
    expect(readFileSync(secretsFile(), 'utf8')).toBe(fileText)
  })

  it('is encrypted again if the keychain has a newer key', async () => {
    const machine = await ready()
    await put(machine, 'r', 's3cret')
    const fileText = readFileSync(secretsFile(), 'utf8')
    machine.keychain.rotated = true
    expect(await get(machine, 'r')).toEqual('s3cret')
    expect(readFileSync(secretsFile(), 'utf8')).not.toBe(fileText)
  })

  it('is not overwritten if the file is damaged', async () => {
    writeFileSync(secretsFile(), '{"secrets":')
    const machine = await ready()
    const refused = { refused: expect.stringContaining('is damaged') }
    expect(await put(machine, 'r', 's')).toMatchObject(refused)
    expect(await get(machine, 'r')).toMatchObject(refused)
    expect(readFileSync(secretsFile(), 'utf8')).toBe('{"secrets":')
  })

  it('rejects requests of a different shape', async () => {
    const machine = await ready()
    for (const question of [
      { kind: 'custody/list', id: 1 },
      { kind: 'custody/put', id: 1, name: 'r' },
      { kind: 'custody/get', id: 1, name: '' },
      { kind: 'custody/get', name: 'r' },
      null,
    ])
      machine.server.emit('message', question)
    await settled()
    expect(machine.server.heard).toHaveLength(1)
  })

  it('does not need a file, so none can be chosen', async () => {
    const machine = await ready()
    expect(await choose(machine)).toEqual({ kept: 'keychain' })
    expect(machine.dialogs).toEqual([])
    expect(existsSync(secretsFile())).toBe(false)
  })
})

describe('the secret of a remote, without a keychain', () => {
  it.each(without)('is refused clearly if %s, and nothing is stored', async (_case, keychain) => {
    const machine = await ready({ keychain })
    const { refused } = (await put(machine, 'r', 's3cret')) as { refused: string }
    expect(refused).toContain('gnome-keyring, KWallet or KeePassXC')
    expect(refused).toContain('Nothing was stored unencrypted.')
    expect(existsSync(secretsFile())).toBe(false)
    expect(await status(machine)).toMatchObject({ kept: 'nowhere', reason: refused })
    expect(await ask(machine, 'custody/status')).toEqual({ kept: false, reason: refused })
  })

  it('shows what to do on each system', async () => {
    for (const [platform, words] of [
      ['darwin', 'Keychain Access'],
      ['win32', 'Windows account'],
    ] as const) {
      const machine = await ready({
        platform,
        keychain: { backend: 'unknown', mark: 'v10', available: false },
      })
      expect(await status(machine)).toMatchObject({ reason: expect.stringContaining(words) })
    }
  })

  it('ignores the marks of encrypted texts on other systems', async () => {
    const machine = await ready({ platform: 'darwin', keychain: { backend: 'unknown', mark: 'v10' } })
    expect(await status(machine)).toEqual({ kept: 'keychain' })
  })

  const [, [, none]] = without as [unknown, [string, FakeKeychainState]]

  it('stays refused if the user declines the file, or closes the question', async () => {
    const machine = await ready({ keychain: none })
    machine.clicks('Do not store them')
    expect(await choose(machine)).toMatchObject({ kept: 'nowhere' })
    expect(await choose(machine)).toMatchObject({ kept: 'nowhere' })
    expect(machine.dialogs[0]).toMatchObject({
      buttons: ['Do not store them', 'Store them in the file'],
      detail: expect.stringContaining('it is not encrypted'),
    })
    expect(await put(machine, 'r', 's')).toMatchObject({ refused: expect.any(String) })
    expect(existsSync(secretsFile())).toBe(false)
  })

  it('is stored in a separate file once the user chose it', async () => {
    const machine = await ready({ keychain: none })
    machine.clicks('Store them in the file')
    expect(await choose(machine)).toEqual({ kept: 'file', path: secretsFile() })
    expect(await ask(machine, 'custody/status')).toEqual({ kept: true })
    expect(await put(machine, 'r', 's3cret')).toEqual(null)
    expect(statSync(secretsFile()).mode & 0o077).toBe(0)
    const again = await started({ keychain: none })
    await serves(again)
    expect(await get(again, 'r')).toEqual('s3cret')
    expect(again.dialogs).toEqual([])
  })

  it('moves from the file to a keychain that becomes available', async () => {
    const machine = await ready({ keychain: none })
    machine.clicks('Store them in the file')
    await choose(machine)
    await put(machine, 'r', 's3cret')
    machine.keychain.state = { backend: 'kwallet6', mark: 'v11' }
    expect(await get(machine, 'r')).toEqual('s3cret')
    expect(readFileSync(secretsFile(), 'utf8')).not.toContain('s3cret')
    expect(await status(machine)).toEqual({ kept: 'keychain' })
  })

  it('is not returned if it was encrypted before, and the reason is shown', async () => {
    const machine = await ready()
    await put(machine, 'r', 's3cret')
    machine.keychain.state = none
    expect(await get(machine, 'r')).toMatchObject({ refused: expect.stringContaining('no keychain') })
  })
})
