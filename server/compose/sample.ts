// Wires the sample org: created in a folder without an org.
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { enginesOf } from './engines.ts'
import { initOrg } from './open-org.ts'
import { requireNoOrg, keyFile, moveOrg, orgFile } from './org-folder.ts'
import { makeFolder } from '../files/index.ts'
import { fillSample, sampleName } from '../sample/index.ts'

export interface SampleOptions {
  /** Root of the installation, which contains `resources/`. */
  root: string
  name?: string
  environment?: string
}

/** @throws AlmanacError org.exists */
export async function initSample(
  dir: string,
  { root, name = sampleName, environment = 'dev' }: SampleOptions,
): Promise<void> {
  requireNoOrg(dir)
  // Half a sample would look like the user's own org, so it is created under a temporary name and then renamed.
  const aside = `${orgFile(dir)}.${process.pid}.sample`
  rmSync(aside, { recursive: true, force: true })
  try {
    makeFolder(aside, 0o700)
    // Left by an interrupted creation; a folder has one key.
    if (existsSync(keyFile(dir))) copyFileSync(keyFile(dir), keyFile(aside))
    const org = initOrg(aside, { name, environment })
    try {
      await fillSample(enginesOf(org), join(root, 'resources', 'sample-org', 'components'))
    } finally {
      await org.close()
    }
    moveOrg(aside, dir)
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}
