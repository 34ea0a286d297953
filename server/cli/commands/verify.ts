// almanac verify: verifies an evidence bundle, or a file with one a line, without an org; exits 1 if one byte differs.
import { verifyBundle, type VerificationResult } from '#kernel/evidence/index.ts'
import { readBytes } from '../../files/index.ts'
import { exitCodes } from '../fail.ts'
import { textOption } from '../options.ts'
import type { Call, Run } from '../command-definition.ts'
import { countText } from '../terminal.ts'
import { printableText } from '../printable-text.ts'
import { plainValue } from './evaluate.ts'

export const run: Run = async (call) => {
  const expectedKey = textOption(call, 'key')
  const verify = (bytes: Uint8Array): VerificationResult =>
    verifyBundle(bytes, expectedKey === undefined ? {} : { expectedKey })
  const bytes = readBytes(call.args[0]!)
  const bundles = bundlesIn(bytes)
  return bundles.length > 1 ? verifyMany(call, bundles, verify) : verifyOne(call, verify(bytes))
}

/** Texts of a bundle, whose signer may be unknown, on one line: a line of its own could look like a result. */
const lineOf = (text: string): string => printableText(text, 10_000)

/** Each with its line feed, which is part of a bundle. */
function bundlesIn(bytes: Uint8Array): Uint8Array[] {
  const bundles: Uint8Array[] = []
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0x0a, start) + 1
    const next = end === 0 ? bytes.length : end
    bundles.push(bytes.subarray(start, next))
    start = next
  }
  return bundles
}

async function verifyOne(call: Call, verified: VerificationResult): Promise<number> {
  const { terminal } = call
  const { paint } = terminal
  if (!verified.ok) {
    await terminal.data(verified)
    terminal.print(paint.red('The bundle is not valid.'))
    for (const reason of verified.reasons) terminal.print(`  ${lineOf(reason)}`)
    return exitCodes.failed
  }
  const { value, bundle, fingerprint } = verified
  await terminal.data({ ok: true, ...factsOf(verified) })
  terminal.print(
    `${paint.green('The bundle is valid.')} ${lineOf(bundle.result.expression)} = ${paint.bold(lineOf(plainValue(value)))}`,
  )
  terminal.print(
    `  ${lineOf(`${bundle.org.name} (${bundle.org.environment}), generation ${bundle.generation.generation} of ${bundle.generation.at.slice(0, 10)}, as of ${bundle.result.binding.asOf ?? 'no date'}`)}`,
  )
  terminal.print(`  ${signedText(call, fingerprint)}`)
  return exitCodes.done
}

async function verifyMany(
  call: Call,
  bundles: readonly Uint8Array[],
  verify: (bytes: Uint8Array) => VerificationResult,
): Promise<number> {
  const { terminal } = call
  const { paint } = terminal
  const signers = new Set<string>()
  const reported: object[] = []
  let invalid = 0
  for (const [index, bundle] of bundles.entries()) {
    const verified = verify(bundle)
    const line = index + 1
    if (verified.ok) {
      signers.add(verified.fingerprint)
      const { label } = verified.bundle.result
      reported.push({ line, ok: true, label, ...factsOf(verified) })
      terminal.print(
        `${paint.green('valid')}    ${line}: ${lineOf(`${label} = ${plainValue(verified.value)}`)}`,
      )
      continue
    }
    invalid += 1
    reported.push({ line, ...verified })
    terminal.print(`${paint.red('invalid')}  ${line}: ${lineOf(verified.reasons.join(' '))}`)
  }
  await terminal.data({ ok: invalid === 0, bundles: reported })
  const all = countText(bundles.length, 'bundle')
  terminal.print(invalid === 0 ? `All ${all} are valid.` : `${invalid} of ${all} are not valid.`)
  if (signers.size > 1)
    terminal.print(
      paint.red(`The bundles are signed by ${signers.size} different keys. Pass the expected one as --key.`),
    )
  for (const fingerprint of signers) terminal.print(`  ${signedText(call, fingerprint)}`)
  return invalid === 0 ? exitCodes.done : exitCodes.failed
}

function factsOf({ value, type, fingerprint, publicKey, bundle }: VerificationResult & { ok: true }): object {
  const { org, result } = bundle
  return { value, type, fingerprint, publicKey, org, expression: result.expression, binding: result.binding }
}

function signedText(call: Call, fingerprint: string): string {
  const advice = '; compare it with the fingerprint from the operator of the org, or pass that as --key'
  return `signed by ${fingerprint}${textOption(call, 'key') === undefined ? advice : ''}`
}
