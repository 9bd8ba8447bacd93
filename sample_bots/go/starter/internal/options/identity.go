package options

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// identityAt gives what to trust and show at an address; nil where it is dialled without TLS. The
// rest are paths, empty where there is none. An error is one sentence.
func identityAt(address Address, ca, certificate, key string) (*tls.Config, error) {
	if address.TLS {
		return readIdentity(ca, certificate, key)
	}
	if (ca != "" || certificate != "") && !address.Local {
		return nil, fmt.Errorf(
			"there are files for TLS, but %s is dialled without it: write tls:%[1]s", address)
	}
	return nil, nil
}

func readIdentity(ca, certificate, key string) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if (certificate == "") != (key == "") {
		return nil, errors.New(
			"a certificate needs its key: give both of ARENA_TLS_CERT, ARENA_TLS_KEY")
	}
	if certificate != "" {
		pair, err := readPair(certificate, key)
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{pair}
	}
	if ca != "" {
		authorities, err := readAuthorities(ca)
		if err != nil {
			return nil, err
		}
		config.RootCAs = authorities
	}
	return config, nil
}

func readAuthorities(path string) (*x509.CertPool, error) {
	content, err := readFile(path)
	if err != nil {
		return nil, err
	}
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(content) {
		return nil, fmt.Errorf("%s holds no certificate in PEM", path)
	}
	return authorities, nil
}

func readPair(certificate, key string) (tls.Certificate, error) {
	var none tls.Certificate
	shown, err := readFile(certificate)
	if err != nil {
		return none, err
	}
	secret, err := readFile(key)
	if err != nil {
		return none, err
	}
	if block, _ := pem.Decode(shown); block == nil {
		return none, fmt.Errorf("%s holds no certificate in PEM", certificate)
	}
	pair, err := tls.X509KeyPair(shown, secret)
	if err != nil {
		return none, fmt.Errorf("%s is no private key in PEM without a passphrase that fits %s",
			key, certificate)
	}
	return pair, nil
}

func readFile(path string) ([]byte, error) {
	content, err := os.ReadFile(path)
	var cause *fs.PathError
	if errors.As(err, &cause) {
		return nil, fmt.Errorf("%s cannot be read: %w", path, cause.Err)
	}
	return content, err
}
