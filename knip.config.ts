// Knip names what nobody uses: files, exports, dependencies.
import type { KnipConfig } from 'knip'

const config: KnipConfig = {
  entry: [
    'server/cli.ts',
    'main/index.ts',
    'main/preload.ts',
    'main/server-process.ts',
    'renderer/main.ts',
    'elements/index.ts',
    'elements/sources/index.ts',
    'elements/frameworks/*.{d.ts,js}',
    'test/elements/consumer/{plain/*.ts,vue/*.{ts,vue},react/*.tsx}',
    'server/**/*-worker.ts',
    'test/e2e/**/*.ts',
    'test/electron-binary/**/*.ts',
    'test/crash/**/*.ts',
    'test/storage/count-limit.ts',
    'test/bench/support/servers/*-server.ts',
    'test/electron/inside-utility-process.ts',
    'test/{cli,resources}/*-process.ts',
    'test/support/bundle-servers.mjs',
  ],
  project: ['{server,main,renderer,elements,test,docs}/**/*.{ts,tsx,vue,mjs}', '!test/bench/peers/**'],
  // On the machine or not; the test that wants it is skipped without.
  ignoreBinaries: ['strace', 'openssl', 'mkfifo', 'mount', 'umount'],
  // The package of elements/, as another project has it; the type checkers, which test/run/stages.mjs runs by path; and
  // the client of the program that test/http/generated-client.test.ts writes.
  ignoreDependencies: ['@almanac/lookup-field', 'typescript-native', 'vue-tsc', 'openapi-fetch'],
  ignoreExportsUsedInFile: true,
  // The index of a folder exports the types of its functions, even if no file names them yet.
  exclude: ['types'],
}

export default config
