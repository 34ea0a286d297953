// The sample org, wired: made in a folder that has none.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { enginesOf, initOrg, orgFile } from './compose.ts'
import { fillSample, sampleName } from './sample/index.ts'

export interface SampleOptions {
  /** Root of the installation, in which `resources/` lies. */
  root: string
  name?: string
  environment?: string
}

/** @throws AlmanacError org.exists */
export async function initSample(
  dir: string,
  { root, name = sampleName, environment = 'dev' }: SampleOptions,
): Promise<void> {
  const org = initOrg(dir, { name, environment })
  try {
    await fillSample(enginesOf(org), join(root, 'resources', 'sample-org', 'components'))
  } catch (error) {
    // Half a sample would look like an org of somebody's own.
    await org.close()
    for (const suffix of ['', '-wal', '-shm']) rmSync(orgFile(dir) + suffix, { force: true })
    throw error
  }
  await org.close()
}
