// A disk that can be filled and emptied: a small file system in memory, which only the superuser can mount.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  dir: string
  fill(): void
  free(): void
  dispose(): void
}

export const canMount = process.platform === 'linux' && process.getuid?.() === 0 && mounts()

/** Why the tests of a real disk are skipped here. */
export const noMount = 'mounting a small disk needs Linux, the superuser and the right to mount'

export function smallDisk(megabytes: number): SmallDisk {
  const dir = mkdtempSync(join(tmpdir(), 'almanac-disk-'))
  mount('-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', dir)
  const filler = join(dir, 'filler')
  return {
    dir,
    fill: () => {
      const { bavail, bsize } = statfsSync(dir)
      writeFileSync(filler, Buffer.alloc(bavail * bsize))
    },
    free: () => rmSync(filler, { force: true }),
    dispose: () => {
      spawnSync('umount', ['-l', dir])
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

function mount(...args: string[]): void {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`mount ${args.join(' ')}: ${stderr}`)
}

function mounts(): boolean {
  const dir = mkdtempSync(join(tmpdir(), 'almanac-mount-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dir]).status === 0
  if (mounted) spawnSync('umount', [dir])
  rmSync(dir, { recursive: true, force: true })
  return mounted
}
