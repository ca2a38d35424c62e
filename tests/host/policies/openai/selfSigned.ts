// A certificate that nobody has signed but itself, made in the test: X.509 (RFC 5280) in as few DER bytes as TLS asks for.
import { generateKeyPairSync, sign } from 'node:crypto';

export interface Identity {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
}

/** A DER value: tag, length, content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), content]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const octets = (content: Uint8Array) => der(0x04, content);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const isTrue = der(0x01, Buffer.of(0xff));
/** `YYMMDDHHMMSSZ`. */
const time = (date: Date) =>
  der(0x17, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const [commonName, basicConstraints, subjectAlternativeName] = [oid('550403'), oid('551d13'), oid('551d11')];

/**
 * A certificate for a host name, from yesterday until `days` from now.
 *
 * @example const { certificate, key } = selfSigned('localhost');
 */
export function selfSigned(host: string, days = 1): Identity {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const now = Date.now();
  const day = 86_400_000;
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(host)))));
  const isAuthority = sequence(basicConstraints, isTrue, octets(sequence(isTrue)));
  const forHost = sequence(subjectAlternativeName, octets(sequence(der(0x82, Buffer.from(host)))));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    ecdsaWithSha256,
    name,
    sequence(time(new Date(now - 2 * day)), time(new Date(now + days * day))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(isAuthority, forHost)),
  );
  const signature = der(0x03, Buffer.of(0), sign('sha256', content, privateKey));
  const encoded = sequence(content, ecdsaWithSha256, signature).toString('base64');
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${encoded.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}
