import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { signingConfiguration } from './signing.ts'

describe('signing', () => {
  it('is omitted if the owner names no program', () => {
    expect(signingConfiguration({})).toEqual({ all: { forceCodeSigning: false }, win: {} })
    expect(signingConfiguration({ ALMANAC_REQUIRE_SIGNING: '1' }).all.forceCodeSigning).toBe(true)
  })

  it.runIf(process.platform !== 'win32')(
    'passes each file to the owner’s program, and fails with it',
    async () => {
      const place = mkdtempSync(join(tmpdir(), 'signing-'))
      const program = join(place, 'sign.sh')
      const seen = join(place, 'seen')
      writeFileSync(program, `#!/bin/sh\necho "$#:$1" >> "${seen}"\ncase "$1" in *bad*) exit 3;; esac\n`)
      chmodSync(program, 0o755)
      const { all, win } = signingConfiguration({ ALMANAC_SIGN_COMMAND: program })
      const sign = win.signtoolOptions!.sign as unknown as (task: { path: string }) => Promise<void>
      await sign({ path: '/dist/Almanac Setup.exe' })
      const complete = all.artifactBuildCompleted as (made: object) => void
      complete({ file: '/dist/Almanac.AppImage', packager: { platform: { name: 'linux' } } })
      // On a Mac electron-builder signs the app itself, before the image is created.
      complete({ file: '/dist/Almanac.dmg', packager: { platform: { name: 'mac' } } })
      expect(readFileSync(seen, 'utf8')).toBe('1:/dist/Almanac Setup.exe\n1:/dist/Almanac.AppImage\n')
      await expect(sign({ path: '/dist/bad.exe' })).rejects.toThrow(
        /ALMANAC_SIGN_COMMAND could not sign .*bad\.exe/,
      )
      rmSync(place, { recursive: true })
    },
  )
})
