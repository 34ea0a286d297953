// Code signing is up to the owner: a program named in the environment signs each file. Without one nothing is signed.
import { execFileSync } from 'node:child_process'
import type { Configuration } from 'electron-builder'

export interface SigningEnvironment {
  /** Path of a program that signs the file named by its only argument, in place. */
  ALMANAC_SIGN_COMMAND?: string
  /** `1`: a file that is not signed fails the build. */
  ALMANAC_REQUIRE_SIGNING?: string
}

/** The signing options of electron-builder. */
export function signingConfiguration(environment: SigningEnvironment): {
  all: Configuration
  win: Configuration['win'] & object
} {
  const command = environment.ALMANAC_SIGN_COMMAND
  const required = environment.ALMANAC_REQUIRE_SIGNING === '1'
  if (!command) return { all: { forceCodeSigning: required }, win: {} }
  return {
    all: {
      forceCodeSigning: required,
      // On Linux, nothing inside a package is signed, so the package itself is.
      artifactBuildCompleted: ({ file, packager }) => {
        if (packager.platform.name === 'linux') run(command, file)
      },
    },
    win: { signtoolOptions: { sign: async ({ path }) => run(command, path) } },
  }
}

function run(command: string, file: string): void {
  try {
    execFileSync(command, [file], { stdio: ['ignore', 'inherit', 'inherit'] })
  } catch (error) {
    const how = error instanceof Error ? error.message : String(error)
    throw new Error(`ALMANAC_SIGN_COMMAND could not sign ${file}: ${how}`, { cause: error })
  }
}
