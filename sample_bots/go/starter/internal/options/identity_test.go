package options

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writePair makes a certificate and its key in a folder, and gives their paths.
func writePair(t *testing.T) (certificate, key string) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true,
	}
	shown, err := x509.CreateCertificate(rand.Reader, template, template, &secret.PublicKey, secret)
	if err != nil {
		t.Fatal(err)
	}
	hidden, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	return writePEM(t, "CERTIFICATE", shown), writePEM(t, "PRIVATE KEY", hidden)
}

func writePEM(t *testing.T, kind string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content})
	if err := os.WriteFile(path, block, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestIdentityIsReadFromFiles(t *testing.T) {
	certificate, key := writePair(t)
	config, err := identityAt(Address{TLS: true}, certificate, certificate, key)
	if err != nil {
		t.Fatal(err)
	}
	if config.RootCAs == nil || len(config.Certificates) != 1 {
		t.Errorf("got %+v", config)
	}
}

func TestIdentityMayBeEmpty(t *testing.T) {
	if config, err := identityAt(Address{TLS: true}, "", "", ""); err != nil || config == nil ||
		config.RootCAs != nil {
		t.Errorf("with TLS: %+v, %v", config, err)
	}
	if config, err := identityAt(Address{Local: true}, "ca", "", ""); err != nil || config != nil {
		t.Errorf("on this machine: %+v, %v", config, err)
	}
}

func TestIdentityRefusesWhatCannotBeUsed(t *testing.T) {
	certificate, key := writePair(t)
	_, foreign := writePair(t)
	far := Address{TLS: true, text: "tls:far:1"}
	cases := map[string]struct {
		address              Address
		ca, certificate, key string
		want                 string
	}{
		"no TLS":      {Address{text: "far:1"}, "ca", "", "", "write tls:far:1"},
		"no key":      {far, "", certificate, "", "a certificate needs its key"},
		"no file":     {far, "none.pem", "", "", "none.pem cannot be read: no such file"},
		"no CA":       {far, key, "", "", "holds no certificate in PEM"},
		"foreign key": {far, "", certificate, foreign, "is no private key in PEM"},
		"key as cert": {far, "", key, key, "is no private key in PEM"},
		"not PEM":     {far, "", "identity.go", key, "identity.go holds no certificate in PEM"},
	}
	for name, test := range cases {
		_, err := identityAt(test.address, test.ca, test.certificate, test.key)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
}
